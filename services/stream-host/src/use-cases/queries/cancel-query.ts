import type { Principal, Receipt } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { QueryStore, WaitingQueryStore } from '@sluice/store/queries';
import { cancelledByCaller } from './announce-waiting-queries.ts';
import {
  currentReceipt,
  type FindReceiptDependencies,
  findOwnWaiting,
  isOwn,
  noSuchQuery,
  queuedReceipt,
} from './find-receipt.ts';

export interface CancelQueryDependencies extends FindReceiptDependencies {
  readonly queries: Pick<QueryStore, 'find' | 'requestCancel'>;
  readonly waitingQueries: Pick<WaitingQueryStore, 'find' | 'requestCancel'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

export interface CancelRequest {
  readonly principal: Principal;
  readonly queryId: string;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/**
 * Stops a query of the caller's own, on whichever host it runs. Answers its receipt as it is now, and whether it was over
 * already. Throws `not_found` for anybody else's.
 */
export async function cancelQuery(
  dependencies: CancelQueryDependencies,
  request: CancelRequest,
): Promise<{ readonly receipt: Receipt; readonly wasOver: boolean }> {
  const { principal, queryId } = request;
  const found = await dependencies.queries.find(principal.tenant.id, queryId);
  if (found === undefined) return await cancelWaiting(dependencies, request);
  if (!isOwn(found, principal)) throw noSuchQuery();
  const receipt = await currentReceipt(found.receipt, dependencies);
  if (receipt.ended_ts !== null) return { receipt, wasOver: true };
  await record(dependencies, request, receipt.query_id);
  await dependencies.queries.requestCancel(principal.tenant.id, receipt.query_id);
  dependencies.running.find(receipt.query_id)?.stop(cancelledByCaller());
  return { receipt, wasOver: false };
}

/** Its own host records the query, and ends it, once it hears of the cancel. */
async function cancelWaiting(
  dependencies: CancelQueryDependencies,
  request: CancelRequest,
): Promise<{ readonly receipt: Receipt; readonly wasOver: boolean }> {
  const { principal } = request;
  const found = await findOwnWaiting(dependencies, principal, request.queryId);
  const { queryId } = found;
  await record(dependencies, request, queryId);
  await dependencies.waitingQueries.requestCancel(principal.tenant.id, queryId);
  // It may have got its worker meanwhile.
  await dependencies.queries.requestCancel(principal.tenant.id, queryId);
  dependencies.waiting.find(principal.tenant.id, queryId)?.cancel(cancelledByCaller());
  dependencies.running.find(queryId)?.stop(cancelledByCaller());
  return { receipt: queuedReceipt(found), wasOver: false };
}

const record = ({ audit }: CancelQueryDependencies, request: CancelRequest, queryId: string): Promise<void> =>
  audit.append({
    tenantId: request.principal.tenant.id,
    user: request.principal.name,
    action: 'CANCEL_QUERY',
    target: queryId,
    requestId: request.requestId,
    queryId,
    address: request.address,
    ...(request.principal.sessionId === undefined ? {} : { sessionId: request.principal.sessionId }),
    ...(request.userAgent === undefined ? {} : { userAgent: request.userAgent }),
  });
