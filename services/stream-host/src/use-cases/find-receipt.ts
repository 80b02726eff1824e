import { type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery, QueryStore } from '@sluice/store';
import { findLiveCounts, type LiveCountsDependencies } from '../queries/live-counts.ts';

export interface FindReceiptDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'find'>;
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
  if (found === undefined || !(isOwn(found, principal) || principal.permissions.has('audit:read'))) throw noSuchQuery();
  return await currentReceipt(found.receipt, dependencies);
}

export const isOwn = (query: FoundQuery, principal: Principal): boolean =>
  query.accountKind === principal.kind && query.accountId === principal.id;

export const noSuchQuery = (): ProblemError => new ProblemError('not_found', 'There is no such query of yours.');

/** While a query runs, its row has no counts; whoever runs it knows them. */
export async function currentReceipt(receipt: Receipt, dependencies: LiveCountsDependencies): Promise<Receipt> {
  const live = receipt.ended_ts === null ? await findLiveCounts(dependencies, receipt.query_id) : undefined;
  return live === undefined ? receipt : { ...receipt, state: live.state, rows: live.rows, bytes: live.bytes };
}
