import { auditOf, type Caller, type Receipt } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { QueryStore, WaitingQueryRow, WaitingQueryStore } from '@sluice/store/queries';
import { cancelledByCaller } from './announce-waiting-queries.ts';
import { findQuery } from './find-query.ts';
import { currentReceipt, type FindReceiptDependencies, isOwn, noSuchQuery, queuedReceipt } from './find-receipt.ts';

interface CancelQueryDependencies extends FindReceiptDependencies {
  readonly queries: Pick<QueryStore, 'find' | 'requestCancel'>;
  readonly waitingQueries: Pick<WaitingQueryStore, 'find' | 'requestCancel'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

interface CancelledQuery {
  /** The receipt as it is now. */
  readonly receipt: Receipt;
  /** True when the query had ended before it could be cancelled. */
  readonly wasOver: boolean;
}

/** Stops a query of the caller, on any host. Throws `not_found` for another account's. */
export type CancelQuery = (caller: Caller, queryId: string) => Promise<CancelledQuery>;

export function createCancelQuery(dependencies: CancelQueryDependencies): CancelQuery {
  const { queries, running } = dependencies;
  return async (caller, queryId) => {
    const { principal } = caller;
    const found = await findQuery(dependencies, principal.tenant.id, queryId);
    if (found === undefined || !isOwn(found.stored ?? found.waiting, principal)) throw noSuchQuery();
    const { stored, waiting } = found;
    if (stored === undefined) return await cancelWaiting(dependencies, caller, waiting);
    const receipt = await currentReceipt(stored.receipt, dependencies);
    if (receipt.ended_ts !== null) return { receipt, wasOver: true };
    await record(dependencies, caller, receipt.query_id);
    await queries.requestCancel(principal.tenant.id, receipt.query_id);
    running.find(receipt.query_id)?.stop(cancelledByCaller());
    return { receipt, wasOver: false };
  };
}

/** Cancels a query that waits for a worker. Its own host records and ends the query when it reads the cancel. */
async function cancelWaiting(
  dependencies: CancelQueryDependencies,
  caller: Caller,
  found: WaitingQueryRow,
): Promise<CancelledQuery> {
  const { queries, waitingQueries, waiting, running } = dependencies;
  const { tenant } = caller.principal;
  const { queryId } = found;
  await record(dependencies, caller, queryId);
  await waitingQueries.requestCancel(tenant.id, queryId);
  // The query may have acquired a worker meanwhile.
  await queries.requestCancel(tenant.id, queryId);
  waiting.find(tenant.id, queryId)?.cancel(cancelledByCaller());
  running.find(queryId)?.stop(cancelledByCaller());
  return { receipt: queuedReceipt(found), wasOver: false };
}

const record = ({ audit }: CancelQueryDependencies, caller: Caller, queryId: string): Promise<void> =>
  audit.append({ ...auditOf(caller, { action: 'CANCEL_QUERY', target: queryId }), queryId });
