/** All permissions with a description for people (docs, OpenAPI). */
export const PERMISSIONS = {
  'query:run': 'Run read-only SQL and download its result',
  'marketplace:download': 'Download granted marketplace items',
  'metadata:write': 'Change descriptive metadata of tables, views and datamaps',
  'datamap:read': 'Search and read datamaps',
  'datamap:write': 'Create and change datamaps',
  'catalog:harvest': 'Start harvests of the engine catalogs and read their results',
  'audit:read': 'Read the audit log and the receipts of all users of the tenant',
  admin: 'Administer their own tenant',
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** Checks a name that another version of Sluice may have stored in a role. */
export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name);

/** Value of a scope: a permission, or `openid`, which adds an ID token (OpenID Connect Core section 3.1.2.1). */
export type ScopeValue = Permission | 'openid';

/** All values of a scope. */
export const SCOPE_VALUES = ['openid', ...Object.keys(PERMISSIONS)] as [ScopeValue, ...ScopeValue[]];

export const isScopeValue = (name: string): name is ScopeValue => name === 'openid' || isPermission(name);

/** Scope to which a session of a program is limited. Undefined: all permissions of the account, and no ID token. */
export type Scope = readonly ScopeValue[] | undefined;

/** Returns the permissions of an account that a scope leaves. It adds none. */
export const narrowPermissions = (permissions: readonly Permission[], scope: Scope): readonly Permission[] =>
  scope === undefined ? permissions : permissions.filter((each) => scope.includes(each));

/** Roles of a new tenant. */
export const DEFAULT_ROLES: Readonly<Record<string, readonly Permission[]>> = {
  analyst: ['query:run', 'datamap:read', 'marketplace:download'],
  service: ['query:run', 'datamap:read', 'marketplace:download'],
  steward: ['query:run', 'datamap:read', 'marketplace:download', 'metadata:write', 'datamap:write'],
  auditor: ['audit:read', 'datamap:read'],
  admin: Object.keys(PERMISSIONS).filter(isPermission),
};
