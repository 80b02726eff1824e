import { type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery, QueryStore, WaitingQueryRow, WaitingQueryStore } from '@sluice/store/queries';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';

export interface FindReceiptDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'find'>;
  readonly waiting: WaitingQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'find'>;
}

/**
 * The receipt of a query of the caller's own, or of anybody's in the tenant with `audit:read`. Throws `not_found` alike for one
 * that is not there and one that the caller may not see.
 */
export async function findReceipt(
  dependencies: FindReceiptDependencies,
  principal: Principal,
  queryId: string,
): Promise<Receipt> {
  const found = await dependencies.queries.find(principal.tenant.id, queryId);
  if (found === undefined) return queuedReceipt(await findOwnWaiting(dependencies, principal, queryId));
  if (!(isOwn(found, principal) || principal.permissions.has('audit:read'))) throw noSuchQuery();
  return await currentReceipt(found.receipt, dependencies);
}

/** A query of the caller's own that waits, on whichever host. Throws `not_found`: a query that waits is on no record yet. */
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

export const noSuchQuery = (): ProblemError => new ProblemError('not_found', 'There is no such query of yours.');

/** While a query runs, its row has no counts; whoever runs it knows them. */
export async function currentReceipt(receipt: Receipt, dependencies: LiveCountsDependencies): Promise<Receipt> {
  const live = receipt.ended_ts === null ? await findLiveCounts(dependencies, receipt.query_id) : undefined;
  return live === undefined ? receipt : { ...receipt, state: live.state, rows: live.rows, bytes: live.bytes };
}
