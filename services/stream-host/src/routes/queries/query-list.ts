import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ListQueries } from '../../use-cases/queries/list-queries.ts';

/** GET /query: the caller's own running and waiting queries. */
export const queryListRoute = (listQueries: ListQueries): Route =>
  route(streamOperations.listQueries, async (request) => json(200, await listQueries(callerOf(request))));
