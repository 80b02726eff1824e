import { asProblem, ProblemError } from '@sluice/contract';
import { createFormat, type Format, HEARTBEAT, SSE_HEARTBEAT, sseProgress, withHeartbeat } from '@sluice/encoders';
import type { ResultEvent } from '@sluice/engine';
import type { JobProgress, QueryJob, WorkerLease } from '@sluice/query-worker';
import type { RunningQuery } from '../../queries/running-queries.ts';
import { noteProgress } from './note-progress.ts';
import type { QueryRequest } from './query-input.ts';
import { type BodyEnd, QueryOutcome, type QueryOutcomeDependencies } from './query-outcome.ts';
import { ResultEvents } from './result-events.ts';
import { SentBody } from './sent-body.ts';

export interface QueryRunDependencies extends QueryOutcomeDependencies {
  /** Silence after which an event stream says that it lives. */
  readonly sseHeartbeatMs: number;
}

export interface QueryRunParts {
  readonly request: QueryRequest;
  readonly job: QueryJob;
  readonly lease: WorkerLease;
  readonly live: RunningQuery;
  readonly signal: AbortSignal;
  readonly clearDeadline: () => void;
}

const PROGRESS_MS = 1_000;
/** A query that was stopped waits so long for a slow client to take what was sent before; then the transfer is cut. */
const OUTCOME_TIMEOUT_MS = 30_000;
const encoder = new TextEncoder();

/**
 * One query from its record to its outcome. Its body is whatever its format makes of it; whichever way that ends, the outcome is
 * recorded exactly once, and before the last word of the body leaves.
 */
export class QueryRun {
  readonly queryId: string;
  readonly #parts: QueryRunParts;
  readonly #sseHeartbeatMs: number;
  readonly #format: Format;
  readonly #sent: SentBody;
  readonly #events: ResultEvents;
  readonly #outcome: QueryOutcome;
  #progressMs = performance.now();
  #released: Promise<void> | undefined;
  #isCut = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(dependencies: QueryRunDependencies, parts: QueryRunParts) {
    this.queryId = parts.live.queryId;
    this.#parts = parts;
    this.#sseHeartbeatMs = dependencies.sseHeartbeatMs;
    this.#sent = new SentBody(parts.live, parts.request.caller.principal.tenant.settings);
    this.#format = parts.request.bundle?.format ?? createFormat(parts.request.format);
    const onProgress = (progress: JobProgress): void => noteProgress(parts.live, progress);
    const { bundle } = parts.request;
    const source = bundle === undefined ? parts.lease : { run: bundle.runner(parts.lease) };
    const events = source.run(parts.job, parts.signal, onProgress)[Symbol.asyncIterator]();
    this.#events = new ResultEvents(events, parts.signal);
    this.#outcome = new QueryOutcome(dependencies, {
      request: parts.request,
      live: parts.live,
      release: () => this.#release(),
    });
    parts.signal.addEventListener('abort', () => this.#onStop(), { once: true });
  }

  /**
   * Waits until the first rows, or the end of a result without rows, are there: from then on a file can begin. Throws the
   * ProblemError of whatever came before; its outcome is recorded by then.
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

  /** What a query that failed in `begin` sends instead of a file, where its format has words of its own for that. */
  failedBody(problem: ProblemError): Uint8Array | undefined {
    const { requestId } = this.#parts.request.caller;
    const text = this.#format.failedBody?.(problem, { queryId: this.queryId, requestId });
    return text === undefined ? undefined : encoder.encode(text);
  }

  /** The body of a file, after `begin`. It throws where the format has no words for a failure: the transfer must be cut. */
  fileBody(): AsyncIterable<Uint8Array> {
    return this.#guarded(this.#body(this.#events));
  }

  /** The events of a stream. It never throws for what the query does: a failure is the last event. */
  eventBody(): AsyncIterable<Uint8Array> {
    const silenceMs = this.#showsProgress() ? Math.min(PROGRESS_MS, this.#sseHeartbeatMs) : this.#sseHeartbeatMs;
    return this.#guarded(this.#body(withHeartbeat(this.#events, silenceMs)));
  }

  /** A generator that is left before it began runs none of its code, so the outcome is recorded from outside it. */
  #guarded(body: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
    const iterator = {
      next: () => body.next(),
      return: async () => {
        const result = await body.return(undefined);
        await this.#abandon();
        return result;
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  async *#body(events: AsyncIterable<ResultEvent | typeof HEARTBEAT>): AsyncGenerator<Uint8Array> {
    try {
      for await (const event of events) {
        if (event === HEARTBEAT) yield* this.#sendHeartbeat();
        else if (event.kind === 'columns') yield this.#sent.add(this.#format.head(event.columns));
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

  /** Nobody may hold a worker, or leave a record open, by reading slowly what was sent before the query was stopped. */
  #onStop(): void {
    if (this.#outcome.isOver) return;
    this.#release().catch(() => undefined); // the outcome waits for the same promise, and tells
    this.#patience = setTimeout(() => void this.#abandon(), OUTCOME_TIMEOUT_MS).unref();
  }

  #release(): Promise<void> {
    this.#released ??= (async () => {
      this.#parts.clearDeadline();
      await this.#events.close();
      this.#parts.lease[Symbol.dispose]();
    })();
    return this.#released;
  }

  /** The last bytes are counted, then the receipt is made durable, and only then they leave. */
  async *#complete(limited: boolean): AsyncGenerator<Uint8Array> {
    const { elapsedMs } = this.#outcome;
    const { rows } = this.#parts.live;
    const words = this.#format.complete({ queryId: this.queryId, rows, limited, elapsedMs });
    const tail = typeof words === 'string' ? encoder.encode(words) : words;
    this.#parts.signal.throwIfAborted();
    await this.#outcome.finished(this.#sent.endedBy(tail), limited);
    if (tail.byteLength > 0) yield tail;
  }

  /** A client that is there is told, in the format's words, if it has any here; otherwise the transfer is cut. */
  async *#fail(problem: ProblemError): AsyncGenerator<Uint8Array> {
    const isSayable = !this.#isCut && !this.#isClientGone() && !this.#sent.isInRow;
    const words = isSayable ? this.#format.failed(problem, this.queryId) : undefined;
    const tail = words === undefined ? undefined : encoder.encode(words);
    await this.#failed(problem, this.#sent.endedBy(tail));
    if (tail === undefined) throw problem;
    yield tail;
  }

  /** A timer that is left behind would keep all of a query that is over, its first rows too, in memory. */
  async #failed(problem: ProblemError, body: BodyEnd): Promise<void> {
    clearTimeout(this.#patience);
    await this.#outcome.failed(problem, body);
  }

  /** The kernel aborts with `query_cancelled` when the client left or takes nothing. */
  #isClientGone(): boolean {
    const { signal } = this.#parts.request;
    return signal.aborted && asProblem(signal.reason).code === 'query_cancelled';
  }

  /** The consumer left before the end, so nothing more can be said to it. */
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

  /** Only between rows: in the middle of a large one it would break it. */
  *#sendHeartbeat(): Generator<Uint8Array> {
    if (this.#sent.isInRow) return;
    this.#progressMs = performance.now();
    yield this.#sent.add(this.#showsProgress() ? sseProgress(this.#parts.live) : SSE_HEARTBEAT);
  }

  #showsProgress(): boolean {
    return this.#parts.request.format.progress === 'shown';
  }
}
