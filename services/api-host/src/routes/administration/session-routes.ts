import { apiOperations, callerOf, type TenantLimitsRecord } from '@sluice/contract';
import { contentTag, isMatched, json, noContent, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';

type SessionUseCases = Pick<UseCases, 'listSessions' | 'endSession' | 'findLimits' | 'putLimits'>;

/** Everything below /admin/sessions and /admin/limits */
export const sessionRoutes = (useCases: SessionUseCases): Route[] => [
  route(apiOperations.listSessions, async (request) =>
    json(200, await useCases.listSessions(callerOf(request), request.query)),
  ),
  route(apiOperations.endSession, async (request) => {
    await useCases.endSession(callerOf(request), request.params.id);
    return noContent();
  }),
  route(apiOperations.getLimits, async (request) => {
    const limits = await useCases.findLimits(callerOf(request));
    return json(200, limits, { etag: contentTag(limits) });
  }),
  route(apiOperations.putLimits, async (request) => {
    const isCurrent = (limits: TenantLimitsRecord): boolean => isMatched(request.headers, contentTag(limits));
    const limits = await useCases.putLimits(callerOf(request), { limits: request.body, isCurrent });
    return json(200, limits, { etag: contentTag(limits) });
  }),
];
