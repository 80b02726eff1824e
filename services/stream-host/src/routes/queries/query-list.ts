import { streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { type ListQueriesDependencies, listQueries } from '../../use-cases/queries/list-queries.ts';

/** GET /query: the caller's own running queries. */
export const queryListRoute = (dependencies: ListQueriesDependencies): Route =>
  route(streamOperations.listQueries, async ({ principal }) => json(200, await listQueries(dependencies, principal)));
