import { callerOf, streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { FindReceipt } from '../../use-cases/queries/find-receipt.ts';

/** GET /query/{id}: the receipt. */
export const queryStatusRoute = (findReceipt: FindReceipt): Route =>
  route(streamOperations.getQuery, async (request) =>
    json(200, await findReceipt(callerOf(request), request.params.id)),
  );
