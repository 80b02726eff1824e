import { type Caller, type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery, QueryStore, WaitingQueryRow, WaitingQueryStore } from '@sluice/store/queries';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';

export interface FindReceiptDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'find'>;
  readonly waiting: WaitingQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'find'>;
}

/**
 * Returns the receipt of a query of the caller, or of any query of the tenant to a caller with `audit:read`. Throws the same
 * `not_found` for a query that does not exist and for one that the caller may not see.
 */
export type FindReceipt = (caller: Caller, queryId: string) => Promise<Receipt>;

export function createFindReceipt(dependencies: FindReceiptDependencies): FindReceipt {
  return async ({ principal }, queryId) => {
    const found = await dependencies.queries.find(principal.tenant.id, queryId);
    if (found === undefined) return queuedReceipt(await findOwnWaiting(dependencies, principal, queryId));
    if (!(isOwn(found, principal) || principal.permissions.has('audit:read'))) throw noSuchQuery();
    return await currentReceipt(found.receipt, dependencies);
  };
}

/**
 * Returns a waiting query of the caller, on any host. Throws `not_found` for any other account's, whatever its permissions: a
 * waiting query has no audit record yet.
 */
export async function findOwnWaiting(
  { waiting, waitingQueries }: Pick<FindReceiptDependencies, 'waiting' | 'waitingQueries'>,
  principal: Principal,
  queryId: string,
): Promise<WaitingQueryRow> {
  const { id: tenantId } = principal.tenant;
  const found = waiting.find(tenantId, queryId) ?? (await waitingQueries.find(tenantId, queryId));
  if (found === undefined || !isOwn(found, principal)) throw noSuchQuery();
  return found;
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
