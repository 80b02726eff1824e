import type { SchemaStep } from './migration.ts';

/** Takes `query:write` from every role: nothing ever needed it, and it is no permission any more. */
export const removedPermissionStep: SchemaStep = {
  name: '0029-a-removed-permission',
  sql: `
    update roles set permissions = array_remove(permissions, 'query:write'), version = version + 1
    where 'query:write' = any (permissions);
  `,
};
