import { asProblem, type ProblemError, type QueryEndState } from '@sluice/contract';
import type { BodyMeter } from '@sluice/encoders';
import type { Events } from '@sluice/observability';
import type { FailureDetails, QueryEnd } from '@sluice/store/queries';
import type { QueryTrace } from '../../queries/query-trace.ts';
import type { RunningQueries, RunningQuery } from '../../queries/running-queries.ts';
import type { StatementBudget } from '../../queries/statement-budget.ts';
import type { OutcomeKeeper } from './outcome-keeper.ts';
import type { QueryRequest } from './query-input.ts';
import type { ReportedTables } from './reported-tables.ts';

export interface QueryOutcomeDependencies {
  readonly running: RunningQueries;
  readonly outcomes: OutcomeKeeper;
  readonly events: Events;
  readonly statementBudget: StatementBudget;
}

interface QueryOutcomeParts {
  readonly request: QueryRequest;
  readonly live: RunningQuery;
  readonly trace: QueryTrace;
  readonly reported?: ReportedTables | undefined;
  /** Stops the statement, clears its deadline and releases the worker. */
  readonly release: () => Promise<void>;
}

/** Size and digest of a body at its end. */
export interface BodyEnd {
  /** Bytes handed to the client so far. */
  readonly bytes: number;
  /** Meter of the whole body including its last bytes; undefined when the transfer is cut. */
  readonly whole: BodyMeter | undefined;
}

/** Outcome of a query. Only the first one is recorded and logged. */
export class QueryOutcome {
  readonly #dependencies: QueryOutcomeDependencies;
  readonly #parts: QueryOutcomeParts;
  readonly #startedMs = performance.now();
  #isOver = false;

  constructor(dependencies: QueryOutcomeDependencies, parts: QueryOutcomeParts) {
    this.#dependencies = dependencies;
    this.#parts = parts;
    dependencies.events.queryStarted({
      queryId: parts.live.queryId,
      format: parts.request.format.name,
      ...this.#subject(),
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  /**
   * Resolves when the receipt of a complete result is durable. When it throws, the transfer must end as failed. Of a result whose transfer
   * was cut and that is kept, the receipt has all rows, the bytes that were sent, and no digest.
   */
  async finished(body: BodyEnd, limited: boolean): Promise<void> {
    this.#isOver = true;
    try {
      await this.#record({ state: 'FINISHED', body, limited, problem: undefined });
      this.#logEnd('FINISHED', body, undefined);
      if (!limited && body.whole !== undefined)
        this.#parts.request.onFinished?.({ rows: this.#parts.live.rows, bytes: body.bytes });
    } catch (thrown) {
      this.#auditFailed(thrown);
      this.#logEnd('FAILED', body, asProblem(thrown));
      throw thrown;
    }
  }

  /** Records a failure. One that cannot be recorded now is kept for later; the client is informed in any case. */
  async failed(problem: ProblemError, body: BodyEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const state = problem.code === 'query_cancelled' ? 'CANCELLED' : 'FAILED';
    await this.#record({ state, body, limited: false, problem }).catch((thrown: unknown) => this.#auditFailed(thrown));
    if (state === 'FAILED' && !isFault(problem))
      this.#dependencies.statementBudget.isRefused(this.#parts.request.caller, this.#parts.request);
    this.#logEnd(state, body, problem);
  }

  async #record(end: RecordedEnd): Promise<void> {
    const { live, trace, reported, release } = this.#parts;
    await release();
    const digest = end.body.whole?.digest();
    try {
      const outcome: QueryEnd = {
        tenantId: live.tenantId,
        queryId: live.queryId,
        state: end.state,
        rows: live.rows,
        bytes: digest?.bytes ?? end.body.bytes,
        sha256: digest?.sha256 ?? null,
        limited: end.limited,
        error: end.problem === undefined ? null : { code: end.problem.streamCode, message: end.problem.message },
        failure: end.problem && detailsOf(end.problem),
        metadata: reported?.metadata,
      };
      const progress = { bytesSent: end.body.bytes, beganMs: this.#startedMs };
      await trace.step('receipt', () => this.#dependencies.outcomes.record(outcome, progress));
    } finally {
      this.#dependencies.running.remove(live.queryId);
    }
  }

  #logEnd(state: QueryEndState, body: BodyEnd, problem: ProblemError | undefined): void {
    const { trace, live } = this.#parts;
    const size = { 'sluice.query.rows': live.rows, 'sluice.query.bytes': body.bytes };
    trace.end({ 'sluice.query.state': state, ...size }, problem?.code);
    this.#dependencies.events.queryEnded({
      ...this.#subject(),
      queryId: this.#parts.live.queryId,
      outcome: state,
      format: this.#parts.request.format.name,
      rows: this.#parts.live.rows,
      bytes: body.bytes,
      durationMs: this.elapsedMs,
      ...(problem === undefined ? {} : { problem: problem.streamCode }),
      ...(problem !== undefined && isFault(problem) ? { err: problem } : {}),
    });
  }

  #auditFailed(thrown: unknown): void {
    this.#dependencies.events.auditFailed({ action: this.#parts.request.action, err: thrown, ...this.#subject() });
  }

  #subject(): EventSubject {
    const { requestId, principal } = this.#parts.request.caller;
    const { traceId } = this.#parts.trace;
    const trace = traceId === undefined ? {} : { traceId };
    return { requestId, ...trace, tenant: principal.tenant.name, user: principal.name };
  }
}

type EventSubject = Pick<Parameters<Events['queryStarted']>[0], 'requestId' | 'traceId' | 'tenant' | 'user'>;

interface RecordedEnd {
  readonly state: QueryEndState;
  readonly body: BodyEnd;
  readonly limited: boolean;
  readonly problem: ProblemError | undefined;
}

/** Returns what a receipt does not say of a problem, and clients of Trino expect. Undefined: nothing. */
export const detailsOf = ({ location, engineError }: ProblemError): FailureDetails | undefined =>
  location === undefined && engineError === undefined ? undefined : { location, engineError };

/** 4xx errors are not logged with message and cause: they may quote the caller's SQL, which belongs into the audit log only. */
const isFault = (problem: ProblemError): boolean => problem.status >= 500;
