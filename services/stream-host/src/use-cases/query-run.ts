import { asProblem, type Column, ProblemError, type QueryEndState } from '@sluice/contract';
import { BEAT, BodyMeter, createFormat, type Format, SSE_KEEP_ALIVE, sseProgress, withBeats } from '@sluice/encoders';
import type { ResultEvent } from '@sluice/engine';
import type { Events } from '@sluice/observability';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';
import type { RunningQueries, RunningQuery } from '../running-queries.ts';
import type { OutcomeKeeper } from './outcome-keeper.ts';
import type { QueryRequest } from './query-request.ts';

export interface QueryRunDependencies {
  readonly running: RunningQueries;
  readonly outcomes: OutcomeKeeper;
  readonly events: Events;
  /** Silence after which an event stream says that it lives. */
  readonly keepAliveMs: number;
}

export interface QueryRunParts {
  readonly request: QueryRequest;
  readonly job: QueryJob;
  readonly lease: WorkerLease;
  readonly live: RunningQuery;
  readonly signal: AbortSignal;
}

const PROGRESS_MS = 1_000;
const encoder = new TextEncoder();

/**
 * One query from its record to its outcome. Its body is whatever its format makes of it; whichever way that ends, the outcome is
 * recorded exactly once, and before the last word of the body leaves.
 */
export class QueryRun {
  readonly queryId: string;
  readonly #dependencies: QueryRunDependencies;
  readonly #parts: QueryRunParts;
  readonly #format: Format;
  readonly #meter = new BodyMeter();
  readonly #startedMs = performance.now();
  readonly #events: AsyncIterator<ResultEvent>;
  #columns: readonly Column[] | undefined;
  #first: ResultEvent | undefined;
  #isOver = false;

  constructor(dependencies: QueryRunDependencies, parts: QueryRunParts) {
    this.queryId = parts.live.queryId;
    this.#dependencies = dependencies;
    this.#parts = parts;
    this.#format = createFormat(parts.request.format);
    this.#events = parts.lease.run(parts.job, parts.signal)[Symbol.asyncIterator]();
    dependencies.events.queryStarted({ queryId: this.queryId, format: parts.request.format.name, ...this.#subject() });
  }

  /**
   * Waits until the first rows, or the end of a result without rows, are there: from then on a file can begin. Throws the
   * ProblemError of whatever came before; its outcome is recorded by then.
   */
  async begin(): Promise<void> {
    try {
      while (this.#first === undefined) {
        const event = await this.#nextEvent();
        if (event.kind === 'columns') this.#columns = event.columns;
        else this.#first = event;
      }
    } catch (thrown) {
      const problem = asProblem(thrown);
      await this.#finish(problem, this.failedBody(problem));
      throw problem;
    }
  }

  /** What a query that failed in `begin` sends instead of a file, where its format has words of its own for that. */
  failedBody(problem: ProblemError): Uint8Array | undefined {
    const text = this.#format.failedBody?.(problem, this.queryId);
    return text === undefined ? undefined : encoder.encode(text);
  }

  /** The body of a file, after `begin`. It throws where the format has no words for a failure: the transfer must be cut. */
  fileBody(): AsyncIterable<Uint8Array> {
    return this.#guarded(this.#file());
  }

  /** The events of a stream. It never throws for what the query does: a failure is the last event. */
  eventBody(): AsyncIterable<Uint8Array> {
    return this.#guarded(this.#stream());
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

  async *#file(): AsyncGenerator<Uint8Array> {
    try {
      yield this.#count(encoder.encode(this.#format.head(this.#columns ?? [])));
      for (let event = this.#first; event !== undefined; event = await this.#nextEvent()) {
        if (event.kind === 'rows') yield this.#takeRows(event);
        if (event.kind !== 'end') continue;
        yield* this.#complete(event.limited);
        return;
      }
    } catch (thrown) {
      yield* this.#fail(asProblem(thrown));
    } finally {
      await this.#abandon();
    }
  }

  async *#stream(): AsyncGenerator<Uint8Array> {
    const silenceMs = this.#showsProgress()
      ? Math.min(PROGRESS_MS, this.#dependencies.keepAliveMs)
      : this.#dependencies.keepAliveMs;
    try {
      for await (const event of withBeats(this.#events, silenceMs)) {
        if (event === BEAT) yield this.#count(encoder.encode(this.#beat()));
        else if (event.kind === 'columns') yield this.#count(encoder.encode(this.#format.head(event.columns)));
        else if (event.kind === 'rows') yield this.#takeRows(event);
        else {
          yield* this.#complete(event.limited);
          return;
        }
      }
      throw endedEarly();
    } catch (thrown) {
      yield* this.#fail(asProblem(thrown));
    } finally {
      await this.#abandon();
    }
  }

  async #nextEvent(): Promise<ResultEvent> {
    const step = await this.#events.next();
    if (step.done === true) throw endedEarly();
    return step.value;
  }

  #takeRows(event: { readonly rows: number; readonly bytes: Uint8Array }): Uint8Array {
    const { live, request } = this.#parts;
    const { rowsMax, bytesMax } = request.principal.tenant.settings;
    live.rows += event.rows;
    if (rowsMax !== undefined && live.rows > rowsMax) throw overLimit(`${rowsMax} rows`);
    if (bytesMax !== undefined && live.bytes + event.bytes.byteLength > bytesMax) throw overLimit(`${bytesMax} bytes`);
    return this.#count(event.bytes);
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#meter.add(bytes);
    this.#parts.live.bytes = this.#meter.bytes;
    return bytes;
  }

  /** The last bytes are counted, then the receipt is made durable, and only then they leave. */
  async *#complete(limited: boolean): AsyncGenerator<Uint8Array> {
    const elapsedMs = Math.round(performance.now() - this.#startedMs);
    const tail = encoder.encode(
      this.#format.complete({ queryId: this.queryId, rows: this.#parts.live.rows, limited, elapsedMs }),
    );
    const whole = this.#meter.copy();
    whole.add(tail);
    this.#parts.signal.throwIfAborted();
    await this.#record({ state: 'FINISHED', meter: whole, limited, problem: undefined });
    if (tail.byteLength > 0) yield tail;
  }

  /** A client that is there is told, in the format's words, if it has any; otherwise the transfer is cut. */
  async *#fail(problem: ProblemError): AsyncGenerator<Uint8Array> {
    const words = this.#isClientGone() ? undefined : this.#format.failed(problem, this.queryId);
    const tail = words === undefined ? undefined : encoder.encode(words);
    await this.#finish(problem, tail);
    if (tail === undefined) throw problem;
    yield tail;
  }

  /** The kernel aborts with `query_cancelled` when the client left or takes nothing. */
  #isClientGone(): boolean {
    const { signal } = this.#parts.request;
    return signal.aborted && asProblem(signal.reason).code === 'query_cancelled';
  }

  /** Records a failure; a failure that cannot be recorded now is recorded as soon as it can, and told all the same. */
  async #finish(problem: ProblemError, tail: Uint8Array | undefined): Promise<void> {
    if (this.#isOver) return;
    const meter = tail === undefined ? undefined : this.#meter.copy();
    if (tail !== undefined) meter?.add(tail);
    try {
      await this.#record({ state: endStateOf(problem), meter, limited: false, problem });
    } catch (thrown) {
      this.#dependencies.events.auditFailed({ action: this.#parts.request.action, err: thrown, ...this.#subject() });
    }
  }

  /** The consumer left before the end, so nothing more can be said to it. */
  async #abandon(): Promise<void> {
    if (this.#isOver) return;
    const reason = this.#parts.signal.aborted
      ? asProblem(this.#parts.signal.reason)
      : new ProblemError('query_cancelled', 'The client closed the connection.');
    this.#parts.live.stop(reason);
    await this.#events.return?.();
    await this.#finish(reason, undefined);
  }

  async #record(end: RecordedEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { live, lease, request } = this.#parts;
    await this.#events.return?.();
    lease[Symbol.dispose]();
    live.state = end.state;
    const digest = end.meter?.digest();
    try {
      await this.#dependencies.outcomes.record({
        tenantId: live.tenantId,
        queryId: live.queryId,
        state: end.state,
        rows: live.rows,
        bytes: digest?.bytes ?? this.#meter.bytes,
        sha256: digest?.sha256 ?? null,
        limited: end.limited,
        error: end.problem === undefined ? null : { code: end.problem.streamCode, message: end.problem.message },
      });
    } finally {
      live.stop(new ProblemError('query_cancelled', 'The query is over.')); // clears its deadline
      this.#dependencies.running.remove(live.queryId);
      this.#dependencies.events.queryEnded({
        ...this.#subject(),
        queryId: live.queryId,
        outcome: end.state,
        format: request.format.name,
        rows: live.rows,
        bytes: digest?.bytes ?? this.#meter.bytes,
        durationMs: Math.round(performance.now() - this.#startedMs),
        ...(end.problem === undefined ? {} : { problem: end.problem.streamCode }),
        ...(end.problem !== undefined && isFault(end.problem) ? { err: end.problem.cause } : {}),
      });
    }
  }

  #beat(): string {
    if (!this.#showsProgress()) return SSE_KEEP_ALIVE;
    const { state, rows, bytes } = this.#parts.live;
    return sseProgress({ state, rows, bytes, splitsDone: null, splitsTotal: null });
  }

  #showsProgress(): boolean {
    return this.#parts.request.format.progress === 'shown';
  }

  #subject(): { readonly requestId: string; readonly tenant: string; readonly user: string } {
    const { requestId, principal } = this.#parts.request;
    return { requestId, tenant: principal.tenant.name, user: principal.name };
  }
}

interface RecordedEnd {
  readonly state: QueryEndState;
  /** Over the body as it will have been sent; undefined when the transfer is cut. */
  readonly meter: BodyMeter | undefined;
  readonly limited: boolean;
  readonly problem: ProblemError | undefined;
}

const endStateOf = (problem: ProblemError): QueryEndState =>
  problem.code === 'query_cancelled' ? 'CANCELLED' : 'FAILED';

/** The caller's own mistakes may repeat their SQL, which is for the audit log alone. */
const isFault = (problem: ProblemError): boolean => problem.status >= 500 && problem.cause !== undefined;

const overLimit = (limit: string): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The result is larger than the ${limit} that a result may have. What was sent is not the whole result.`,
  );

const endedEarly = (): ProblemError =>
  new ProblemError('internal', 'The result ended before its end. What was sent is not the whole result.');
