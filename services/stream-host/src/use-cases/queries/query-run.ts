import { asProblem, type Column, ProblemError, resultLimits } from '@sluice/contract';
import { createFormat, type Format, HEARTBEAT, SSE_HEARTBEAT, sseProgress } from '@sluice/encoders';
import type { JobProgress, QueryJob, WorkerLease } from '@sluice/query-worker';
import { type DetachedQueries, resultLost } from '../../queries/detached-queries.ts';
import type { Keeping, KeepOutcome } from '../../queries/kept-results.ts';
import type { QueryTrace } from '../../queries/query-trace.ts';
import type { RunningQuery } from '../../queries/running-queries.ts';
import { noteProgress } from './note-progress.ts';
import type { QueryRequest } from './query-input.ts';
import { type BodyEnd, QueryOutcome, type QueryOutcomeDependencies } from './query-outcome.ts';
import type { ReportedTables } from './reported-tables.ts';
import { ResultEvents } from './result-events.ts';
import { SentBody } from './sent-body.ts';

export interface QueryRunDependencies extends QueryOutcomeDependencies {
  /** Time without an event after which a stream sends a heartbeat comment. */
  readonly sseHeartbeatMs: number;
}

export interface QueryRunParts {
  readonly request: QueryRequest;
  readonly job: QueryJob;
  readonly lease: WorkerLease;
  readonly live: RunningQuery;
  readonly trace: QueryTrace;
  readonly signal: AbortSignal;
  /** Tables from an engine that reports them while a statement runs. */
  readonly reported?: ReportedTables | undefined;
  /** The result that is kept, or why it is not. Undefined: that was not requested. */
  readonly keeping?: Keeping | { readonly notKept: string } | undefined;
  /** Set if the query runs on when its client leaves. Then `signal` does not follow that of the request. */
  readonly detached?: DetachedQueries | undefined;
  readonly clearDeadline: () => void;
}

const PROGRESS_MS = 1_000;
/** Time for a slow client to read what was sent before the query was stopped. Then the transfer is cut. */
const OUTCOME_TIMEOUT_MS = 30_000;
const encoder = new TextEncoder();

/**
 * One query from its record to its outcome. The format writes the body. However the query ends, its outcome is recorded exactly
 * once, before the last bytes of the body are sent. A query whose result is kept may run on without its client: it is detached.
 */
export class QueryRun {
  readonly queryId: string;
  readonly #parts: QueryRunParts;
  readonly #sseHeartbeatMs: number;
  readonly #format: Format;
  readonly #sent: SentBody;
  readonly #events: ResultEvents;
  readonly #outcome: QueryOutcome;
  readonly #keeping: Keeping | undefined;
  #columns: readonly Column[] | undefined;
  #progressMs = performance.now();
  #released: Promise<void> | undefined;
  #isCut = false;
  /** Removes a detached query from those that wait for a client. */
  #endWait: (() => void) | undefined;
  #runsOn = false;
  /** The client reads the rest of the rows from the store. */
  #needsStore = false;
  #isKept = false;
  #outcomeTimeout: NodeJS.Timeout | undefined;

  constructor(dependencies: QueryRunDependencies, parts: QueryRunParts) {
    this.queryId = parts.live.queryId;
    this.#parts = parts;
    this.#sseHeartbeatMs = dependencies.sseHeartbeatMs;
    this.#sent = new SentBody(parts.live, resultLimits(parts.request.caller.principal.tenant.settings));
    this.#format = parts.request.bundle?.format ?? createFormat(parts.request.format);
    const onProgress = (progress: JobProgress): void => {
      if ('engineTime' in progress) parts.trace.engineRan(progress.engineTime);
      else if ('tables' in progress) parts.reported?.add(progress.tables);
      else noteProgress(parts.live, progress);
    };
    const { bundle } = parts.request;
    const source = bundle === undefined ? parts.lease : { run: bundle.runner(parts.lease) };
    const { keeping } = parts;
    this.#keeping = keeping !== undefined && 'spec' in keeping ? keeping : undefined;
    const events = source.run(parts.job, parts.signal, onProgress, this.#keeping?.onStored)[Symbol.asyncIterator]();
    this.#events = new ResultEvents(events, parts.signal);
    this.#outcome = new QueryOutcome(dependencies, {
      request: parts.request,
      live: parts.live,
      trace: parts.trace,
      reported: parts.reported,
      release: () => this.#release(),
    });
    parts.signal.addEventListener('abort', () => this.#onStop(), { once: true });
    if (parts.detached !== undefined) this.#followRequest(parts.request.signal);
  }

  /**
   * Waits for the first rows, or for the end of a result without rows; then a file can begin. Throws the ProblemError of an earlier
   * failure, whose outcome is recorded by then.
   */
  async begin(): Promise<void> {
    try {
      await this.#events.readFirst();
    } catch (thrown) {
      const problem = asProblem(thrown);
      await this.#failed(problem, this.#sent.endedBy(this.failedBody(problem)));
      throw problem;
    }
  }

  /** Returns the body of a query that failed in `begin`, for formats that define one. */
  failedBody(problem: ProblemError): Uint8Array | undefined {
    const { requestId } = this.#parts.request.caller;
    const text = this.#format.failedBody?.(problem, { queryId: this.queryId, requestId });
    return text === undefined ? undefined : encoder.encode(text);
  }

  /** Returns the body of a file, after `begin`. It throws when the format cannot express a failure: the transfer must be cut. */
  fileBody(): AsyncIterable<Uint8Array> {
    return this.#guarded(this.#body(undefined));
  }

  /** Columns of the result. Undefined until its body had them. */
  get columns(): readonly Column[] | undefined {
    return this.#columns;
  }

  /** Progress, which stays readable after the end. */
  get progress(): Pick<RunningQuery, 'state' | 'rows' | 'bytes' | 'splitsDone' | 'splitsTotal' | 'isStopped'> {
    return this.#parts.live;
  }

  /**
   * Leaves the rows that follow in the body to the store, where the client reads them later: the query fails if the result cannot be kept.
   * Returns false if the result is not being kept, and stops a query whose rows are lost by that. Call it for each part of
   * the rest.
   */
  leaveRowsToStore(): boolean {
    const keeping = this.#keeping;
    if (keeping === undefined) return false;
    if (keeping.failure !== undefined) {
      if (this.#needsStore) this.stop(resultLost(keeping.failure));
      return false;
    }
    this.#needsStore = true;
    this.#parts.live.pace = undefined;
    return true;
  }

  /** Whether the complete result can be read from the store. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Stops the query. Does nothing after its end. */
  stop(reason: ProblemError): void {
    this.#parts.live.stop(reason);
  }

  /** Returns the events of a stream. A failure of the query is the last event and does not throw. */
  eventBody(): AsyncIterable<Uint8Array> {
    const silenceMs = this.#showsProgress() ? Math.min(PROGRESS_MS, this.#sseHeartbeatMs) : this.#sseHeartbeatMs;
    return this.#guarded(this.#body(silenceMs));
  }

  /** Must be called after the last use of a chunk of the body, and only then: its memory is used for other rows. */
  releaseChunk(chunk: Uint8Array): void {
    this.#sent.release(chunk);
  }

  /** A generator that is closed before its start runs none of its code, so its outcome is recorded here. */
  #guarded(body: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
    const iterator = {
      next: () => body.next(),
      return: async () => {
        if (this.#endWait !== undefined) {
          void this.#runOn(body);
          return { done: true as const, value: undefined };
        }
        const result = await body.return(undefined);
        await this.#abandon();
        return result;
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  /** Detaches the query when its client leaves, and stops it when its request ends in any other way. */
  #followRequest(signal: AbortSignal): void {
    const onAbort = (): void => {
      if (!this.#isClientGone() || !this.#detach()) this.#parts.live.stop(asProblem(signal.reason));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }

  /** Returns false if the query is over, or would be of no use without its client. */
  #detach(): boolean {
    const { detached, live, signal } = this.#parts;
    const keeping = this.#keeping;
    if (detached === undefined || keeping === undefined) return false;
    if (keeping.failure !== undefined || signal.aborted || this.#outcome.isOver) return false;
    this.#sent.cut();
    live.pace = undefined;
    this.#endWait = detached.add({ live, keeping });
    return true;
  }

  /** Runs a detached query to its end. Its rows only go to the store. */
  async #runOn(body: AsyncGenerator<Uint8Array>): Promise<void> {
    if (this.#runsOn) return;
    this.#runsOn = true;
    try {
      for (let step = await body.next(); step.done !== true; step = await body.next()) this.#sent.release(step.value);
    } catch {
      // It is the outcome of the query, which is recorded by now.
    }
  }

  /** `silenceMs`: time after which a heartbeat is sent; undefined: never. */
  async *#body(silenceMs: number | undefined): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const event = await this.#events.next(silenceMs);
        if (event === HEARTBEAT) yield* this.#sendHeartbeat();
        else if (event.kind === 'columns') yield this.#sent.add(this.#head(event.columns));
        else if (event.kind === 'rows') {
          yield this.#sent.addRows(event);
          if (this.#showsProgress() && performance.now() - this.#progressMs > PROGRESS_MS) yield* this.#sendHeartbeat();
        } else {
          yield* this.#complete(event.limited);
          return;
        }
      }
    } catch (thrown) {
      yield* this.#fail(asProblem(thrown));
    } finally {
      await this.#abandon();
    }
  }

  #head(columns: readonly Column[]): string {
    this.#columns = columns;
    return this.#format.head(columns);
  }

  /** Releases the worker and limits the time for the outcome, which a slow client could otherwise delay. */
  #onStop(): void {
    if (this.#outcome.isOver) return;
    this.#release().catch(() => undefined); // the outcome awaits the same promise and reports its failure
    this.#outcomeTimeout = setTimeout(() => void this.#abandon(), OUTCOME_TIMEOUT_MS).unref();
  }

  #release(): Promise<void> {
    this.#released ??= (async () => {
      this.#parts.clearDeadline();
      await this.#events.close();
      this.#parts.trace.endWorker();
      this.#parts.lease[Symbol.dispose]();
      this.#parts.live.holdsWorker = false;
    })();
    return this.#released;
  }

  /** Counts the last bytes and makes the receipt durable before it sends them. */
  async *#complete(limited: boolean): AsyncGenerator<Uint8Array> {
    const { elapsedMs } = this.#outcome;
    const { rows } = this.#parts.live;
    const keeping = await this.#finishKeeping();
    // Neither a client nor the store would have the result.
    const needsStore = this.#endWait !== undefined || this.#needsStore;
    if (needsStore && keeping !== undefined && 'notKept' in keeping) throw resultLost(keeping.notKept);
    const end = this.#format.complete({ queryId: this.queryId, rows, limited, elapsedMs, keeping });
    const tail = typeof end === 'string' ? encoder.encode(end) : end;
    this.#parts.signal.throwIfAborted();
    try {
      await this.#outcome.finished(this.#sent.endedBy(tail), limited);
    } catch (thrown) {
      await this.#keeping?.revoke();
      throw thrown;
    }
    this.#isKept = keeping !== undefined && 'untilMs' in keeping;
    this.#endWait?.();
    if (tail.byteLength > 0) yield tail;
  }

  /** Makes the kept result readable before the last bytes, which report it. */
  async #finishKeeping(): Promise<KeepOutcome | undefined> {
    const { keeping } = this.#parts;
    if (keeping === undefined) return undefined;
    return 'spec' in keeping ? await keeping.finish() : keeping;
  }

  /** Reports the failure in the body if the client is connected and the format can express it here; otherwise cuts the transfer. */
  async *#fail(problem: ProblemError): AsyncGenerator<Uint8Array> {
    const canReport = !this.#isCut && !this.#isClientGone() && !this.#sent.isInRow;
    const text = canReport ? this.#format.failed(problem, this.queryId) : undefined;
    const tail = text === undefined ? undefined : encoder.encode(text);
    await this.#failed(problem, this.#sent.endedBy(tail));
    if (tail === undefined) throw problem;
    yield tail;
  }

  /** Clears the timer, which would otherwise keep the ended query with its buffers in memory. */
  async #failed(problem: ProblemError, body: BodyEnd): Promise<void> {
    clearTimeout(this.#outcomeTimeout);
    await this.#outcome.failed(problem, body);
    await this.#keeping?.abandon();
    this.#endWait?.();
  }

  /** The kernel aborts with `query_cancelled` when the client disconnects or stops reading. */
  #isClientGone(): boolean {
    const { signal } = this.#parts.request;
    return signal.aborted && asProblem(signal.reason).code === 'query_cancelled';
  }

  /** Ends a query whose consumer stopped before the end, so that nothing can be sent any more. */
  async #abandon(): Promise<void> {
    if (this.#outcome.isOver) return;
    this.#isCut = true;
    const { signal, live } = this.#parts;
    const reason = signal.aborted
      ? asProblem(signal.reason)
      : new ProblemError('query_cancelled', 'The client closed the connection.');
    live.stop(reason);
    await this.#failed(reason, this.#sent.endedBy(undefined));
  }

  /** Sent only between rows, because it would corrupt a row that is sent in pieces. */
  *#sendHeartbeat(): Generator<Uint8Array> {
    if (this.#sent.isInRow) return;
    this.#progressMs = performance.now();
    yield this.#sent.add(this.#showsProgress() ? sseProgress(this.#parts.live) : SSE_HEARTBEAT);
  }

  #showsProgress(): boolean {
    return this.#parts.request.format.progress === 'shown';
  }
}
