import { streamOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { type FindReceiptDependencies, findReceipt } from '../../use-cases/queries/find-receipt.ts';

/** GET /query/{id}: the receipt. */
export const queryStatusRoute = (dependencies: FindReceiptDependencies): Route =>
  route(streamOperations.getQuery, async ({ principal, params }) =>
    json(200, await findReceipt(dependencies, principal, params.id)),
  );
