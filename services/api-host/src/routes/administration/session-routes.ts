import { apiOperations, callerOf } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
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
  route(apiOperations.getLimits, async (request) => json(200, await useCases.findLimits(callerOf(request)))),
  route(apiOperations.putLimits, async (request) =>
    json(200, await useCases.putLimits(callerOf(request), request.body)),
  ),
];
