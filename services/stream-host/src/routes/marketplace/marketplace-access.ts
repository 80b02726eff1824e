import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';

/** Requests for grants and the decisions on them: /marketplace/{id}/access-requests and /access-requests */
export const marketplaceAccessRoutes = ({
  requestAccess,
  listAccessRequests,
  findAccessRequests,
  decideAccess,
}: Pick<UseCases, 'requestAccess' | 'listAccessRequests' | 'findAccessRequests' | 'decideAccess'>): Route[] => [
  route(streamOperations.requestMarketplaceAccess, async (request) => {
    const { params, body } = request;
    return json(201, await requestAccess(callerOf(request), { id: params.id, reason: body.reason }));
  }),
  route(streamOperations.listMarketplaceAccess, async (request) =>
    json(200, { data: await listAccessRequests(callerOf(request), request.params.id) }),
  ),
  route(streamOperations.listAccessRequests, async (request) =>
    json(200, await findAccessRequests(callerOf(request), request.query)),
  ),
  route(streamOperations.approveMarketplaceAccess, async (request) => {
    const { id, request_id: requestId } = request.params;
    const input = { id, requestId, state: 'APPROVED', expiresTs: request.body.expires_ts } as const;
    return json(200, await decideAccess(callerOf(request), input));
  }),
  route(streamOperations.refuseMarketplaceAccess, async (request) => {
    const { id, request_id: requestId } = request.params;
    const input = { id, requestId, state: 'REFUSED', note: request.body.note } as const;
    return json(200, await decideAccess(callerOf(request), input));
  }),
];
