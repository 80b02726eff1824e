/** Everything that can be allowed; the text is for people (docs, OpenAPI). */
export const PERMISSIONS = {
  'query:run': 'Run read-only SQL and download its result',
  'marketplace:download': 'Download marketplace items that are granted',
  'metadata:write': 'Change descriptive metadata of tables, views and datamaps',
  'datamap:read': 'Search and read datamaps',
  'datamap:write': 'Create and change datamaps',
  'catalog:harvest': 'Have the catalogs of the engine mirrored, and see how that went',
  'audit:read': 'Read the audit log, and the receipts of everyone in the tenant',
  admin: 'Administer the own tenant',
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** False for what a role of another version may hold. */
export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name);

/** The roles every tenant is made with. */
export const DEFAULT_ROLES: Readonly<Record<string, readonly Permission[]>> = {
  analyst: ['query:run', 'datamap:read', 'marketplace:download'],
  service: ['query:run', 'datamap:read', 'marketplace:download'],
  steward: ['query:run', 'datamap:read', 'marketplace:download', 'metadata:write', 'datamap:write'],
  auditor: ['audit:read', 'datamap:read'],
  admin: Object.keys(PERMISSIONS).filter(isPermission),
};
