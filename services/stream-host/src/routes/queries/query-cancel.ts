import { streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { type CancelQueryDependencies, cancelQuery } from '../../use-cases/queries/cancel-query.ts';

/** DELETE /query/{id}: 202 while it is being cancelled, 200 when it is over. */
export const queryCancelRoute = (dependencies: CancelQueryDependencies): Route =>
  route(streamOperations.cancelQuery, async ({ principal, params, requestId, address, userAgent }) => {
    const { receipt, wasOver } = await cancelQuery(dependencies, {
      principal,
      queryId: params.id,
      requestId,
      address,
      userAgent,
    });
    return json(wasOver ? 200 : 202, receipt);
  });
