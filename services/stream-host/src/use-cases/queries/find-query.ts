import type { FoundQuery, QueryStore, WaitingQueryRow, WaitingQueryStore } from '@sluice/store/queries';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';

export interface FindQueryDependencies {
  readonly queries: Pick<QueryStore, 'find'>;
  readonly waiting: WaitingQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'find'>;
}

type StoredOrWaiting =
  | { readonly stored: FoundQuery; readonly waiting?: undefined }
  | { readonly stored?: undefined; readonly waiting: WaitingQueryRow };

/**
 * Returns a query of any account of a tenant: one that has a record, or one that waits for a worker, on any host. Returns undefined when
 * there is none.
 */
export async function findQuery(
  { queries, waiting, waitingQueries }: FindQueryDependencies,
  tenantId: string,
  queryId: string,
): Promise<StoredOrWaiting | undefined> {
  const stored = await queries.find(tenantId, queryId);
  if (stored !== undefined) return { stored };
  const row = waiting.find(tenantId, queryId) ?? (await waitingQueries.find(tenantId, queryId));
  if (row !== undefined) return { waiting: row };
  // It may have acquired a worker since the first look-up: then it has a record, and no longer waits.
  const begun = await queries.find(tenantId, queryId);
  return begun && { stored: begun };
}
