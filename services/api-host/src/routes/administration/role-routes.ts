import { apiOperations, type RoleRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredRole } from '@sluice/store/administration';
import type { ApiContext } from '../../context/context.ts';
import { createChangeAccounts } from '../../use-cases/administration/change-accounts.ts';
import { createRole, removeRole, updateRole } from '../../use-cases/administration/change-roles.ts';
import { createFindAccounts } from '../../use-cases/administration/find-accounts.ts';

const bodyOf = ({ version: _version, ...role }: StoredRole): RoleRecord => role;
const etag = ({ version }: StoredRole) => ({ etag: entityTag(version) });

/** Everything below /admin/roles */
export function roleRoutes({ stores }: Pick<ApiContext, 'stores'>): Route[] {
  const find = createFindAccounts(stores.administration);
  const { change } = createChangeAccounts(stores.administration);
  return [
    route(apiOperations.listRoles, async (caller) => json(200, { data: (await find.roles(caller)).map(bodyOf) })),
    route(apiOperations.createRole, async ({ body, ...caller }) => {
      const role = await change(caller, (within) => createRole(within, caller, body));
      return json(201, bodyOf(role), { ...etag(role), location: `/admin/roles/${role.name}` });
    }),
    route(apiOperations.getRole, async ({ params, ...caller }) => {
      const role = await find.role(caller, params.name);
      return json(200, bodyOf(role), etag(role));
    }),
    route(apiOperations.updateRole, async ({ params, body, headers, ...caller }) => {
      const wish = { ...params, ...body, version: matchedVersion(headers) };
      const role = await change(caller, (within) => updateRole(within, caller, wish));
      return json(200, bodyOf(role), etag(role));
    }),
    route(apiOperations.deleteRole, async ({ params, headers, ...caller }) => {
      const target = { name: params.name, version: matchedVersion(headers) };
      await change(caller, (within) => removeRole(within, caller, target));
      return noContent();
    }),
  ];
}
