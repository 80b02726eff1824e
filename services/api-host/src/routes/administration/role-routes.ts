import { apiOperations, callerOf, type RoleRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredRole } from '@sluice/store/administration';
import type { UseCases } from '../../context/use-cases.ts';

type RoleUseCases = Pick<UseCases, 'findRoles' | 'findRole' | 'createRole' | 'updateRole' | 'removeRole'>;

const presentRole = ({ version: _version, ...role }: StoredRole): RoleRecord => role;
const etag = ({ version }: StoredRole) => ({ etag: entityTag(version) });

/** Everything below /admin/roles */
export const roleRoutes = (useCases: RoleUseCases): Route[] => [
  route(apiOperations.listRoles, async (request) =>
    json(200, { data: (await useCases.findRoles(callerOf(request))).map(presentRole) }),
  ),
  route(apiOperations.createRole, async (request) => {
    const role = await useCases.createRole(callerOf(request), request.body);
    return json(201, presentRole(role), { ...etag(role), location: `/admin/roles/${role.name}` });
  }),
  route(apiOperations.getRole, async (request) => {
    const role = await useCases.findRole(callerOf(request), request.params.name);
    return json(200, presentRole(role), etag(role));
  }),
  route(apiOperations.updateRole, async (request) => {
    const input = { ...request.params, ...request.body, version: matchedVersion(request.headers) };
    const role = await useCases.updateRole(callerOf(request), input);
    return json(200, presentRole(role), etag(role));
  }),
  route(apiOperations.deleteRole, async (request) => {
    const target = { name: request.params.name, version: matchedVersion(request.headers) };
    await useCases.removeRole(callerOf(request), target);
    return noContent();
  }),
];
