/** Everything that can be allowed; the text is for people (docs, OpenAPI). */
export const PERMISSIONS = {
  'query:run': 'Run read-only SQL and download its result',
  'query:write': 'Run single DDL and DML statements on engines that allow them',
  'marketplace:download': 'Download marketplace items that are granted',
  'metadata:write': 'Change descriptive metadata of tables, views and datamaps',
  'datamap:read': 'Search and read datamaps',
  'datamap:write': 'Create and change datamaps',
  'catalog:harvest': 'Have the catalogs of the engine mirrored, and see how that went',
  'audit:read': 'Read the audit log, and the receipts of everyone in the tenant',
  admin: 'Administer the own tenant',
} as const;

export type Permission = keyof typeof PERMISSIONS;

const ALL_BUT_WRITE = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => permission !== 'query:write');

/** The roles every tenant is made with. `query:write` is in none of them. */
export const DEFAULT_ROLES: Readonly<Record<string, readonly Permission[]>> = {
  analyst: ['query:run', 'datamap:read', 'marketplace:download'],
  service: ['query:run', 'datamap:read', 'marketplace:download'],
  steward: ['query:run', 'datamap:read', 'marketplace:download', 'metadata:write', 'datamap:write'],
  auditor: ['audit:read', 'datamap:read'],
  admin: ALL_BUT_WRITE,
};
