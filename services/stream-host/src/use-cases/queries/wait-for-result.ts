import { setTimeout as wait } from 'node:timers/promises';
import { asProblem, type Caller } from '@sluice/contract';
import { SSE_HEARTBEAT, sseProgress } from '@sluice/encoders';
import type { LiveCountsDependencies } from '../../queries/live-counts.ts';
import { currentReceipt } from './find-receipt.ts';
import { type FindResultDependencies, type FoundResult, findResult } from './find-result.ts';
import { LOST_RIGHT } from './stream-stored-rows.ts';

export interface WaitForResultDependencies extends FindResultDependencies, LiveCountsDependencies {
  readonly sseHeartbeatMs: number;
  /** Time for which a query runs on without a client that asks for it. */
  readonly resumeWaitMs: number;
}

interface ResultWait {
  readonly caller: Caller;
  readonly queryId: string;
  /** Sends progress events instead of heartbeats, each second. */
  readonly showsProgress: boolean;
  readonly signal: AbortSignal;
  /** Resolves to false when the caller has lost the right to the result. */
  readonly mayRead: () => Promise<boolean>;
}

/** Interval at which the end of a query of this host is noticed. */
const POLL_MS = 100;
/** Interval at which the database is asked for the end of a query of another host. */
const FIND_MS = 500;
const PROGRESS_MS = 1_000;
/** Interval at which the wait is noted in the database, unless the query waits for less than four of them. */
const ASK_MS_MAX = 3_000;
const ASKS_PER_WAIT = 4;

const encoder = new TextEncoder();

/** The error of a query that ended with all of its rows, which nothing has kept. */
const NOT_KEPT = {
  code: 'NOT_FOUND',
  message: 'The query has ended, and its result was not kept. Send the query again.',
} as const;

/**
 * Waits until the result of a running query can be read, or until it is clear that it never can, and yields heartbeats or progress
 * meanwhile. As long as this runs, the query runs on without its first client. Throws the reason of `signal`, and `storage_unavailable`.
 */
export async function* waitForResult(
  dependencies: WaitForResultDependencies,
  waiting: ResultWait,
): AsyncGenerator<Uint8Array, Exclude<FoundResult, { readonly kind: 'running' }>> {
  const { showsProgress, signal, mayRead } = waiting;
  const { sseHeartbeatMs } = dependencies;
  const silenceMs = showsProgress ? Math.min(PROGRESS_MS, sseHeartbeatMs) : sseHeartbeatMs;
  const search = new ResultSearch(dependencies, waiting);
  let sentMs = performance.now();
  for (;;) {
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    if (!(await mayRead())) return { kind: 'failed', error: LOST_RIGHT };
    const found = await search.next();
    if (found !== undefined) return found;
    if (performance.now() - sentMs < silenceMs) continue;
    yield encoder.encode(showsProgress ? await presentProgress(dependencies, waiting) : SSE_HEARTBEAT);
    sentMs = performance.now();
  }
}

/** Looks for the end of a running query. */
class ResultSearch {
  readonly #dependencies: WaitForResultDependencies;
  readonly #waiting: ResultWait;
  readonly #askMs: number;
  #askedMs = performance.now();
  #foundMs = performance.now();

  constructor(dependencies: WaitForResultDependencies, waiting: ResultWait) {
    const { resumeWaitMs } = dependencies;
    this.#dependencies = dependencies;
    this.#waiting = waiting;
    this.#askMs = resumeWaitMs === 0 ? ASK_MS_MAX : Math.min(ASK_MS_MAX, resumeWaitMs / ASKS_PER_WAIT);
  }

  /** Returns the result or the failure, or undefined while the query runs or the database is not available. Call it often. */
  async next(): Promise<Exclude<FoundResult, { readonly kind: 'running' }> | undefined> {
    try {
      await this.#ask();
      const found = await this.#find();
      return found?.kind === 'running' ? undefined : found;
    } catch (thrown) {
      const { code } = asProblem(thrown);
      if (code === 'service_unavailable') return undefined;
      if (code === 'not_found') return { kind: 'failed', error: NOT_KEPT };
      throw thrown;
    }
  }

  async #ask(): Promise<void> {
    if (performance.now() - this.#askedMs < this.#askMs) return;
    this.#askedMs = performance.now();
    await this.#dependencies.keptResults?.ask(this.#waiting.caller, this.#waiting.queryId);
  }

  async #find(): Promise<FoundResult | undefined> {
    const { running, queries } = this.#dependencies;
    const { caller, queryId } = this.#waiting;
    // A query of this host is in the registry until its outcome is durable.
    if (running.find(queryId) !== undefined || performance.now() - this.#foundMs < FIND_MS) return undefined;
    this.#foundMs = performance.now();
    const stored = await queries.find(caller.principal.tenant.id, queryId);
    return stored?.receipt.ended_ts === null ? undefined : await findResult(this.#dependencies, caller, queryId);
  }
}

/** Returns the counts of this host, or what the other hosts and the database know. */
async function presentProgress(
  dependencies: WaitForResultDependencies,
  { caller, queryId }: ResultWait,
): Promise<string> {
  const own = dependencies.running.find(queryId);
  if (own !== undefined) return sseProgress(own);
  try {
    const stored = await dependencies.queries.find(caller.principal.tenant.id, queryId);
    if (stored === undefined) return SSE_HEARTBEAT;
    const { state, rows, bytes } = await currentReceipt(stored.receipt, dependencies);
    return sseProgress({ state, rows, bytes, splitsDone: null, splitsTotal: null });
  } catch {
    return SSE_HEARTBEAT;
  }
}
