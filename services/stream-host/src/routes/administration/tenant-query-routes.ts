import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';

type TenantQueryUseCases = Pick<UseCases, 'listTenantQueries' | 'cancelTenantQuery'>;

/** GET /admin/queries, DELETE /admin/queries/{id} */
export const tenantQueryRoutes = (useCases: TenantQueryUseCases): Route[] => [
  route(streamOperations.listTenantQueries, async (request) =>
    json(200, await useCases.listTenantQueries(callerOf(request))),
  ),
  route(streamOperations.cancelTenantQuery, async (request) =>
    json(202, await useCases.cancelTenantQuery(callerOf(request), request.params.id)),
  ),
];
