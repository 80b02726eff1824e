import { callerOf, doorOperations } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { CancelStatement } from '../../use-cases/door/cancel-statement.ts';
import type { DescribeStatement } from '../../use-cases/door/describe-statement.ts';

interface DoorQueryRoutesDependencies {
  readonly describeStatement: DescribeStatement;
  readonly cancelStatement: CancelStatement;
}

/** `/v1/query/{id}`: the caller's own queries, by the ids that Trino clients know. */
export const doorQueryRoutes = ({ describeStatement, cancelStatement }: DoorQueryRoutesDependencies): Route[] => [
  route(doorOperations.describeStatement, async (request) => {
    const { id } = request.params;
    const { baseUrl } = request;
    const info = await describeStatement(callerOf(request), id.toLowerCase());
    return json(200, { ...info, self: `${baseUrl}/v1/query/${info.queryId}` }, { 'x-query-id': info.queryId });
  }),
  route(doorOperations.killStatement, async (request) => {
    const id = request.params.id.toLowerCase();
    await cancelStatement(callerOf(request), id);
    return noContent({ 'x-query-id': id });
  }),
];
