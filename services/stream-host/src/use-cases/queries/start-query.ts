import { randomUUID } from 'node:crypto';
import {
  asProblem,
  auditOf,
  type Caller,
  effectiveLimits,
  type LimitDefaults,
  ProblemError,
  presentParameters,
} from '@sluice/contract';
import { engineCapabilities } from '@sluice/engine';
import type { Tracer } from '@sluice/observability';
import type { WorkerSource } from '@sluice/query-worker';
import type { QueryEnd, QueryStore } from '@sluice/store/queries';
import { type EngineResolver, requireParameters } from '@sluice/tenant-engines';
import type { DetachedQueries } from '../../queries/detached-queries.ts';
import type { Keeping, KeptResults } from '../../queries/kept-results.ts';
import { QueryTrace } from '../../queries/query-trace.ts';
import { ReaderPace, type ReaderPaceLimits } from '../../queries/reader-pace.ts';
import type { RunningQuery } from '../../queries/running-queries.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';
import { nameTables } from './name-tables.ts';
import type { QueryInput, QueryRequest } from './query-input.ts';
import { detailsOf } from './query-outcome.ts';
import { QueryRun, type QueryRunDependencies, type QueryRunParts } from './query-run.ts';
import { ReportedTables } from './reported-tables.ts';
import type { StopDueQueries } from './stop-due-queries.ts';
import { waitForWorker } from './wait-for-worker.ts';

interface StartQueryDependencies extends QueryRunDependencies {
  readonly hostId: string;
  readonly queries: Pick<QueryStore, 'begin'>;
  readonly stopDueQueries: StopDueQueries;
  readonly admission: WorkerSource;
  readonly waiting: WaitingQueries;
  readonly resolveEngine: EngineResolver;
  readonly limitDefaults: LimitDefaults;
  readonly slowReader: ReaderPaceLimits;
  readonly tracer: Tracer;
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: Pick<KeptResults, 'begin'> | undefined;
  /** Undefined: every query ends with its request. */
  readonly detachedQueries: DetachedQueries | undefined;
}

/**
 * Admits and records a query. When it resolves, the record is durable and the query has a worker, but nothing has run yet. An engine that
 * names the tables of a statement without running it has done so, because the record holds them. A query that was cancelled while it
 * waited has a record but no worker, and ends with `query_cancelled` as soon as its body is read.
 * Throws `invalid_request` for a missing or unused parameter, `too_many_requests` when no worker is free in time, and `audit_unavailable` when the record cannot be written.
 */
export type StartQuery = (caller: Caller, input: QueryInput) => Promise<QueryRun>;

export function createStartQuery(dependencies: StartQueryDependencies): StartQuery {
  return async (caller, input) => {
    const { principal } = caller;
    const request: QueryRequest = { ...input, caller };
    const engine = dependencies.resolveEngine(principal.tenant);
    for (const statement of input.bundle?.statements ?? [input]) requireParameters(engine, statement);
    const queryId = input.queryId ?? randomUUID();
    const { stop, unlink } = stopWith(input.signal);
    const trace = new QueryTrace(dependencies.tracer, caller, {
      queryId,
      format: input.format.name,
      engine: engine.kind,
    });
    await dependencies.statementBudget.admit(caller);
    const granted = await trace.step('admission', () =>
      waitForWorker(dependencies, { queryId, request, engineKey: engine.key, stop }),
    );
    const { sql, parameters, catalog, schema, timeZone, rowsMax } = input;
    const statement = { sql, parameters, queryId, user: principal.name, catalog, schema, timeZone, rowsMax };
    const job = { engine, format: input.format, statement, reportsEngineTime: trace.isRecorded };
    const reported = engineCapabilities(engine).namesTablesFirst ? undefined : new ReportedTables();
    const clearDeadline = startDeadline(dependencies, request, stop);
    let isRecorded = false;
    let begunKeeping: ReturnType<typeof beginKeeping> | undefined;
    try {
      const named =
        reported === undefined
          ? await nameTables(granted, { job, input, signal: stop.signal })
          : { metadata: {}, lease: granted };
      const record = recordOf(dependencies.hostId, queryId, request, named.metadata);
      // At the same time: neither needs the other, and the client waits for both.
      begunKeeping = beginKeeping(dependencies, { queryId, request, engine: engine.kind });
      await trace.step('audit', () => dependencies.queries.begin(record));
      isRecorded = true;
      dependencies.statementBudget.begins(caller, input);
      const begun = { ...beginRunning(dependencies, { queryId, request, stop }), clearDeadline };
      if (performance.now() - principal.authenticatedAtMs > REVALIDATE_AFTER_MS)
        await revalidateCaller(dependencies, begun.live);
      const keeping = await begunKeeping;
      const traced = {
        ...job,
        statement: { ...statement, traceparent: trace.startWorker() },
        ...(keeping !== undefined && 'spec' in keeping ? { keep: keeping.spec } : {}),
      };
      return new QueryRun(dependencies, {
        request,
        job: traced,
        lease: named.lease,
        trace,
        reported,
        keeping,
        detached: detachable(dependencies, keeping, unlink),
        ...begun,
      });
    } catch (thrown) {
      void begunKeeping?.then(abandonKeeping);
      clearDeadline();
      dependencies.running.remove(queryId);
      granted[Symbol.dispose]();
      dependencies.waiting.remove(queryId);
      const problem = asProblem(thrown);
      if (isRecorded || problem.code === 'audit_unavailable')
        dependencies.outcomes.enqueueFailure({
          ...failedBeforeStart(caller, queryId, problem),
          metadata: reported?.metadata,
        });
      throw problem;
    }
  };
}

/** Begins to keep the result of a query that asks for it. Never rejects. */
async function beginKeeping(
  { keptResults }: Pick<StartQueryDependencies, 'keptResults'>,
  {
    queryId,
    request,
    engine,
  }: { readonly queryId: string; readonly request: QueryRequest; readonly engine: 'duckdb' | 'trino' },
): Promise<Keeping | { readonly notKept: string } | undefined> {
  const { caller, sql, parameters = [], catalog, schema, timeZone, rowsMax, keepMs } = request;
  if (keepMs === undefined) return undefined;
  if (keptResults === undefined) return { notKept: 'This deployment has no store for results.' };
  return await keptResults.begin({
    caller,
    queryId,
    keepMs,
    request: { engine, sql, parameters, catalog, schema, timeZone, rowsMax },
  });
}

async function abandonKeeping(keeping: QueryRunParts['keeping']): Promise<void> {
  if (keeping !== undefined && 'spec' in keeping) await keeping.abandon();
}

/** Unlinks a query whose result is kept from its request, whose end it then handles itself. */
function detachable(
  { detachedQueries }: Pick<StartQueryDependencies, 'detachedQueries'>,
  keeping: QueryRunParts['keeping'],
  unlink: () => void,
): DetachedQueries | undefined {
  if (detachedQueries === undefined || keeping === undefined || !('spec' in keeping)) return undefined;
  unlink();
  return detachedQueries;
}

interface LinkedStop {
  readonly stop: AbortController;
  /** Ends the link to the signal. */
  readonly unlink: () => void;
}

/** Follows a signal. AbortSignal.any does the same with weak references and a finalizer for each request. */
function stopWith(signal: AbortSignal): LinkedStop {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { stop, unlink: () => signal.removeEventListener('abort', onAbort) };
}

/**
 * A caller who was authenticated longer ago, because of a slow body or a wait for a worker, may have lost the right to the query.
 * A short query would end before the next periodic check.
 */
const REVALIDATE_AFTER_MS = 1_000;

/** Stops the query before anything runs when its caller lost the right to it, or when this cannot be checked. */
async function revalidateCaller(dependencies: StartQueryDependencies, live: RunningQuery): Promise<void> {
  try {
    await dependencies.stopDueQueries();
  } catch (thrown) {
    live.stop(asProblem(thrown));
  }
}

const failedBeforeStart = ({ principal }: Caller, queryId: string, problem: ProblemError): QueryEnd => ({
  tenantId: principal.tenant.id,
  queryId,
  state: 'FAILED',
  rows: 0,
  bytes: 0,
  sha256: null,
  limited: false,
  error: { code: problem.streamCode, message: problem.message },
  failure: detailsOf(problem),
});

interface Begun {
  readonly queryId: string;
  readonly request: QueryRequest;
  readonly stop: AbortController;
}

/** Timers of Node.js with a delay of more than 31 bits fire immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Starts the deadline of a query that has a worker. Returns the function that ends it. */
function startDeadline(
  { limitDefaults }: Pick<StartQueryDependencies, 'limitDefaults'>,
  { caller, timeLimitMs = Number.POSITIVE_INFINITY }: QueryRequest,
  stop: AbortController,
): () => void {
  const limits = effectiveLimits(caller.principal.tenant.settings, limitDefaults);
  const tenantMs = Math.min(limits.queryTimeLimitMs, TIMER_MS_MAX);
  const isOwn = timeLimitMs < tenantMs;
  const onDeadline = (): void => stop.abort(isOwn ? ownTimeLimitExceeded(timeLimitMs) : timeLimitExceeded(tenantMs));
  const deadline = setTimeout(onDeadline, Math.min(timeLimitMs, tenantMs));
  deadline.unref();
  return () => clearTimeout(deadline);
}

/** Registers the query as running. */
function beginRunning(dependencies: StartQueryDependencies, begun: Begun): Pick<QueryRunParts, 'live' | 'signal'> {
  const { request, queryId, stop } = begun;
  const { principal, address } = request.caller;
  const live: RunningQuery = {
    queryId,
    tenantId: principal.tenant.id,
    accountId: principal.id,
    address,
    pace: new ReaderPace(request.reader, dependencies.slowReader),
    get isStopped() {
      return stop.signal.aborted;
    },
    holdsWorker: true,
    state: 'RUNNING',
    rows: 0,
    bytes: 0,
    splitsDone: null,
    splitsTotal: null,
    stop: (reason) => stop.abort(reason),
  };
  dependencies.running.add(live);
  dependencies.waiting.remove(queryId);
  return { live, signal: stop.signal };
}

const timeLimitExceeded = (limitMs: number): ProblemError =>
  new ProblemError('time_limit', `The query exceeded its time limit of ${Math.round(limitMs / 1000)} s.`);

const ownTimeLimitExceeded = (limitMs: number): ProblemError =>
  new ProblemError('time_limit', `The query exceeded the time limit of its session, ${limitMs / 1000} s.`);

const metadataOf = ({ metadata, parameters = [], catalog, schema }: QueryInput): QueryInput['metadata'] => ({
  ...metadata,
  ...(parameters.length === 0 ? {} : { parameters: presentParameters(parameters) }),
  ...(catalog === undefined ? {} : { catalog }),
  ...(schema === undefined ? {} : { schema }),
});

const recordOf = (
  hostId: string,
  queryId: string,
  { caller, ...input }: QueryRequest,
  tables: Readonly<Record<string, unknown>>,
): Parameters<QueryStore['begin']>[0] => ({
  ...auditOf(caller, {
    action: input.action,
    target: input.target ?? queryId,
    metadata: { ...metadataOf(input), ...tables },
  }),
  queryId,
  accountKind: caller.principal.kind,
  accountId: caller.principal.id,
  secretId: caller.principal.secretId,
  hostId,
  sql: input.sql,
});
