import { asProblem, type Caller } from '@sluice/contract';
import type { QueryStore } from '@sluice/store/queries';
import type { KeptResults, OpenedKeptResult } from '../../queries/kept-results.ts';
import { isOwn } from './find-receipt.ts';
import { openKeptResult } from './open-kept-result.ts';

export interface FindResultDependencies {
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
  readonly queries: Pick<QueryStore, 'find'>;
}

/** The error of a receipt. */
interface ReceiptError {
  /** Code as streams spell it. */
  readonly code: string;
  readonly message: string;
}

/** A result that can be read, and that the caller must dispose of; or the reason why it cannot be read yet, or ever. */
export type FoundResult =
  | { readonly kind: 'kept'; readonly opened: OpenedKeptResult }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: ReceiptError };

/**
 * Finds the result of a query, and notes that the caller waits for it if the query still runs. Throws what `openKeptResult` throws for a
 * result that the caller may not view, or that is not kept.
 */
export async function findResult(
  { keptResults, queries }: FindResultDependencies,
  caller: Caller,
  queryId: string,
): Promise<FoundResult> {
  const opened = await openKeptResult(keptResults, caller, queryId).catch((thrown: unknown) => {
    if (asProblem(thrown).code === 'not_found') return undefined;
    throw thrown;
  });
  if (opened !== undefined) return { kind: 'kept', opened };
  const { principal } = caller;
  const isAsked = (await keptResults?.ask(caller, queryId)) === true;
  const stored = await queries.find(principal.tenant.id, queryId);
  if (stored !== undefined && isOwn(stored, principal)) {
    const { ended_ts: ended, error } = stored.receipt;
    if (ended === null && isAsked) return { kind: 'running' };
    if (error !== null) return { kind: 'failed', error };
  }
  // It may have been finished since the first attempt.
  return { kind: 'kept', opened: await openKeptResult(keptResults, caller, queryId) };
}
