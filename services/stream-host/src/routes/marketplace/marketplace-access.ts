import { streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import {
  decideAccess,
  listAccessRequests,
  type MarketplaceAccessDependencies,
  requestAccess,
} from '../../use-cases/marketplace/marketplace-access.ts';

/** Requests for grants, and what became of them: /marketplace/{id}/access-requests */
export const marketplaceAccessRoutes = (dependencies: MarketplaceAccessDependencies): Route[] => [
  route(streamOperations.requestMarketplaceAccess, async ({ params, body, ...caller }) =>
    json(201, await requestAccess(dependencies, caller, { id: params.id, reason: body.reason })),
  ),
  route(streamOperations.listMarketplaceAccess, async ({ params, ...caller }) =>
    json(200, { data: await listAccessRequests(dependencies, caller, params.id) }),
  ),
  route(streamOperations.approveMarketplaceAccess, async ({ params, body, ...caller }) => {
    const { id, request_id: requestId } = params;
    const verdict = { id, requestId, state: 'APPROVED', expiresTs: body.expires_ts } as const;
    return json(200, await decideAccess(dependencies, caller, verdict));
  }),
  route(streamOperations.refuseMarketplaceAccess, async ({ params, body, ...caller }) => {
    const { id, request_id: requestId } = params;
    return json(200, await decideAccess(dependencies, caller, { id, requestId, state: 'REFUSED', note: body.note }));
  }),
];
