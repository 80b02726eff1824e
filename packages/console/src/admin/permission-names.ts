import type { Permission } from './use-admin.ts';

/** Permissions that a role may have. A test compares them with those of the interface. */
export const PERMISSION_NAMES = [
  'query:run',
  'marketplace:download',
  'metadata:write',
  'datamap:read',
  'datamap:write',
  'catalog:harvest',
  'audit:read',
  'admin',
] as const satisfies readonly Permission[];
