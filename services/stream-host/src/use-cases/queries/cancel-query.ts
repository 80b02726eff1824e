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

/**
 * Stops a query of the caller, on any host. Throws `not_found` for another account's.
 * @param killMessage - message of CALL kill_query of a client of Trino, empty for none; absent for any other cancel
 */
export type CancelQuery = (caller: Caller, queryId: string, killMessage?: string) => Promise<CancelledQuery>;

export function createCancelQuery(dependencies: CancelQueryDependencies): CancelQuery {
  const { queries, running } = dependencies;
  return async (caller, queryId, killMessage) => {
    const { principal } = caller;
    const found = await findQuery(dependencies, principal.tenant.id, queryId);
    if (found === undefined || !isOwn(found.stored ?? found.waiting, principal)) throw noSuchQuery();
    const { stored, waiting } = found;
    if (stored === undefined) return await cancelWaiting(dependencies, caller, { found: waiting, killMessage });
    const receipt = await currentReceipt(stored.receipt, dependencies);
    if (receipt.ended_ts !== null) return { receipt, wasOver: true };
    await record(dependencies, caller, { queryId: receipt.query_id, killMessage });
    await queries.requestCancel(principal.tenant.id, receipt.query_id, killMessage);
    running.find(receipt.query_id)?.stop(cancelledByCaller(killMessage));
    return { receipt, wasOver: false };
  };
}

/** Cancels a query that waits for a worker. Its own host records and ends the query when it reads the cancel. */
async function cancelWaiting(
  dependencies: CancelQueryDependencies,
  caller: Caller,
  { found, killMessage }: { readonly found: WaitingQueryRow; readonly killMessage: string | undefined },
): Promise<CancelledQuery> {
  const { queries, waitingQueries, waiting, running } = dependencies;
  const { tenant } = caller.principal;
  const { queryId } = found;
  await record(dependencies, caller, { queryId, killMessage });
  await waitingQueries.requestCancel(tenant.id, queryId, killMessage);
  // The query may have acquired a worker meanwhile.
  await queries.requestCancel(tenant.id, queryId, killMessage);
  waiting.find(tenant.id, queryId)?.cancel(cancelledByCaller(killMessage));
  running.find(queryId)?.stop(cancelledByCaller(killMessage));
  return { receipt: queuedReceipt(found), wasOver: false };
}

const record = (
  { audit }: CancelQueryDependencies,
  caller: Caller,
  { queryId, killMessage }: { readonly queryId: string; readonly killMessage: string | undefined },
): Promise<void> => {
  const metadata = killMessage === undefined ? {} : { kill_message: killMessage };
  return audit.append({ ...auditOf(caller, { action: 'CANCEL_QUERY', target: queryId, metadata }), queryId });
};
