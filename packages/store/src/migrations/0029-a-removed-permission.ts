import type { SchemaStep } from './migration.ts';

/** Removes `query:write` from every role: nothing used it, and the permission was removed. */
export const removedPermissionStep: SchemaStep = {
  name: '0029-a-removed-permission',
  sql: `
    update roles set permissions = array_remove(permissions, 'query:write'), version = version + 1
    where 'query:write' = any (permissions);
  `,
};
