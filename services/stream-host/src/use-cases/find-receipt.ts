import { type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery, QueryStore } from '@sluice/store';
import type { RunningQueries } from '../queries/running-queries.ts';

export interface FindReceiptDependencies {
  readonly queries: Pick<QueryStore, 'find'>;
  readonly running: RunningQueries;
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
  return currentReceipt(found.receipt, dependencies.running);
}

export const isOwn = (query: FoundQuery, principal: Principal): boolean =>
  query.accountKind === principal.kind && query.accountId === principal.id;

export const noSuchQuery = (): ProblemError => new ProblemError('not_found', 'There is no such query of yours.');

/** While a query runs here, its counts are known here and nowhere else. */
export function currentReceipt(receipt: Receipt, running: RunningQueries): Receipt {
  const live = receipt.ended_ts === null ? running.find(receipt.query_id) : undefined;
  return live === undefined ? receipt : { ...receipt, state: live.state, rows: live.rows, bytes: live.bytes };
}
