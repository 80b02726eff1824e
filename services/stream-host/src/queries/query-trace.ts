import { asProblem, type Caller } from '@sluice/contract';
import { type Span, type SpanAttributes, type Tracer, traceStep } from '@sluice/observability';
import type { EngineTime } from '@sluice/query-worker';

interface TracedQuery {
  readonly queryId: string;
  readonly format: string;
  /** Kind of the engine, such as `duckdb`. */
  readonly engine: string;
}

/** Spans of one query, below the span of its request: admission, audit record, worker with its engine, and receipt. None has the SQL. */
export class QueryTrace {
  readonly traceId: string | undefined;
  readonly #tracer: Tracer;
  readonly #engine: SpanAttributes;
  readonly #query: Span;
  #worker: Span | undefined;

  constructor(tracer: Tracer, { trace, principal }: Caller, { queryId, format, engine }: TracedQuery) {
    this.traceId = trace?.traceId;
    this.#tracer = tracer;
    this.#engine = { 'db.system.name': engine };
    this.#query = tracer.startSpan('query', {
      parent: trace?.traceparent,
      attributes: {
        'sluice.query.id': queryId,
        'sluice.query.format': format,
        'sluice.tenant': principal.tenant.name,
      },
    });
  }

  /** Runs a step that the query cannot do without: its failure ends the span of the query too. */
  async step<T>(name: 'admission' | 'audit' | 'receipt', work: () => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan(name, { parent: this.#query.traceparent });
    try {
      return await traceStep(span, work);
    } catch (thrown) {
      this.end({}, asProblem(thrown).code);
      throw thrown;
    }
  }

  /** Starts the span of the worker. Returns its header for the engine. */
  startWorker(): string | undefined {
    this.#worker = this.#tracer.startSpan('worker', { parent: this.#query.traceparent });
    return this.#worker.traceparent;
  }

  /** Whether the worker must report when its engine ran. */
  get isRecorded(): boolean {
    return this.#tracer.isOn;
  }

  engineRan({ startedMs, endedMs }: EngineTime): void {
    const parent = this.#worker?.traceparent;
    this.#tracer.startSpan('engine', { parent, attributes: this.#engine, startedMs }).end({}, undefined, endedMs);
  }

  endWorker(): void {
    this.#worker?.end();
  }

  end(attributes: SpanAttributes, errorType?: string): void {
    this.#query.end(attributes, errorType);
  }
}
