import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { CancelQuery } from '../../use-cases/queries/cancel-query.ts';

/** DELETE /query/{id}: 202 while the query is being cancelled, 200 when it has ended already. */
export const queryCancelRoute = (cancelQuery: CancelQuery): Route =>
  route(streamOperations.cancelQuery, async (request) => {
    const { receipt, wasOver } = await cancelQuery(callerOf(request), request.params.id);
    return json(wasOver ? 200 : 202, receipt);
  });
