import { type Caller, type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery, WaitingQueryRow } from '@sluice/store/queries';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import { type FindQueryDependencies, findQuery } from './find-query.ts';

export interface FindReceiptDependencies extends FindQueryDependencies, LiveCountsDependencies {}

/**
 * Returns the receipt of a query of the caller, or of any query of the tenant with a record to a caller with `audit:read`. Throws the
 * same `not_found` for a query that does not exist and for one that the caller may not see.
 */
export type FindReceipt = (caller: Caller, queryId: string) => Promise<Receipt>;

export function createFindReceipt(dependencies: FindReceiptDependencies): FindReceipt {
  return async ({ principal }, queryId) => {
    const found = await findQuery(dependencies, principal.tenant.id, queryId);
    if (found === undefined) throw noSuchQuery();
    const { stored, waiting } = found;
    // A waiting query has no audit record yet, so `audit:read` does not show it.
    const isVisible =
      isOwn(stored ?? waiting, principal) || (stored !== undefined && principal.permissions.has('audit:read'));
    if (!isVisible) throw noSuchQuery();
    return stored === undefined ? queuedReceipt(waiting) : await currentReceipt(stored.receipt, dependencies);
  };
}

export const queuedReceipt = ({ queryId, sinceMs }: WaitingQueryRow): Receipt => ({
  query_id: queryId,
  state: 'QUEUED',
  rows: 0,
  bytes: 0,
  sha256: null,
  limited: false,
  started_ts: sinceMs,
  ended_ts: null,
  error: null,
});

export const isOwn = (query: Pick<FoundQuery, 'accountKind' | 'accountId'>, principal: Principal): boolean =>
  query.accountKind === principal.kind && query.accountId === principal.id;

export const noSuchQuery = (): ProblemError => new ProblemError('not_found', 'You have no query with this id.');

/** Adds live counts to the receipt of a running query, whose row has none. */
export async function currentReceipt(receipt: Receipt, dependencies: LiveCountsDependencies): Promise<Receipt> {
  const live = receipt.ended_ts === null ? await findLiveCounts(dependencies, receipt.query_id) : undefined;
  return live === undefined ? receipt : { ...receipt, state: live.state, rows: live.rows, bytes: live.bytes };
}
