import { randomUUID } from 'node:crypto';
import { asProblem, ProblemError } from '@sluice/contract';
import type { WorkerSource } from '@sluice/query-worker';
import type { QueryEnd, QueryStore } from '@sluice/store/queries';
import type { EngineResolver } from '@sluice/tenant-engines';
import { ReaderPace, type ReaderPaceLimits } from '../../queries/reader-pace.ts';
import type { RunningQuery } from '../../queries/running-queries.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';
import type { QueryRequest } from './query-request.ts';
import { QueryRun, type QueryRunDependencies, type QueryRunParts } from './query-run.ts';
import { stopDueQueries } from './stop-due-queries.ts';
import { waitForWorker } from './wait-for-worker.ts';

export interface StartQueryDependencies extends QueryRunDependencies {
  readonly hostId: string;
  readonly queries: Pick<QueryStore, 'begin' | 'stopsDue'>;
  readonly admission: WorkerSource;
  readonly waiting: WaitingQueries;
  readonly resolveEngine: EngineResolver;
  readonly queryTimeLimitMs: number;
  readonly slowReader: ReaderPaceLimits;
}

/**
 * Admits a query and records it. When it resolves, the record is durable and the query has a worker; nothing has run yet. One that
 * its caller cancelled while it waited has a record and no worker, and ends with `query_cancelled` as soon as it is read.
 * Throws `too_many_requests` when there is no worker in time, `audit_unavailable` when the record cannot be written.
 */
export async function startQuery(dependencies: StartQueryDependencies, request: QueryRequest): Promise<QueryRun> {
  const engine = dependencies.resolveEngine(request.principal.tenant);
  const queryId = request.queryId ?? randomUUID();
  const stop = new AbortController();
  // One listener does what AbortSignal.any does with weak references and a finalizer for each request.
  const onLeft = (): void => stop.abort(request.signal.reason);
  if (request.signal.aborted) onLeft();
  else request.signal.addEventListener('abort', onLeft, { once: true });
  const lease = await waitForWorker(dependencies, { queryId, request, engineKey: engine.key, stop });
  try {
    await dependencies.queries.begin(recordOf(dependencies.hostId, queryId, request));
  } catch (thrown) {
    lease[Symbol.dispose]();
    dependencies.waiting.remove(queryId);
    const problem = asProblem(thrown);
    if (problem.code === 'audit_unavailable')
      dependencies.outcomes.enqueueFailure(failedBeforeStart(request, queryId, problem));
    throw problem;
  }
  const begun = beginRunning(dependencies, { queryId, request, stop });
  if (performance.now() - request.principal.authenticatedAtMs > REVALIDATE_AFTER_MS)
    await revalidateCaller(dependencies, begun.live);
  return new QueryRun(dependencies, {
    request,
    job: {
      engine,
      format: request.format,
      statement: {
        sql: request.sql,
        queryId,
        user: request.principal.name,
        timeZone: request.timeZone,
        rowsMax: request.rowsMax,
      },
    },
    lease,
    ...begun,
  });
}

/**
 * Whose proof is older, by a slow body or a wait for a turn, may have lost the right to the query since, and a short query would be
 * over before the next look.
 */
const REVALIDATE_AFTER_MS = 1_000;

/** Stops the query before anything runs where its caller may not go on, or where nobody can tell. */
async function revalidateCaller(dependencies: StartQueryDependencies, live: RunningQuery): Promise<void> {
  try {
    await stopDueQueries(dependencies);
  } catch (thrown) {
    live.stop(asProblem(thrown));
  }
}

const failedBeforeStart = (request: QueryRequest, queryId: string, problem: ProblemError): QueryEnd => ({
  tenantId: request.principal.tenant.id,
  queryId,
  state: 'FAILED',
  rows: 0,
  bytes: 0,
  sha256: null,
  limited: false,
  error: { code: problem.streamCode, message: problem.message },
});

interface Begun {
  readonly queryId: string;
  readonly request: QueryRequest;
  readonly stop: AbortController;
}

/** Timers of Node.js hold 31 bits; beyond, they fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Starts the clock of the query, and lets others find it. */
function beginRunning(
  dependencies: StartQueryDependencies,
  begun: Begun,
): Pick<QueryRunParts, 'live' | 'signal' | 'clearDeadline'> {
  const { request, queryId, stop } = begun;
  const limitMs = Math.min(
    request.principal.tenant.settings.queryTimeLimitMs ?? dependencies.queryTimeLimitMs,
    TIMER_MS_MAX,
  );
  const deadline = setTimeout(() => stop.abort(timeLimitExceeded(limitMs)), limitMs);
  deadline.unref();
  const live: RunningQuery = {
    queryId,
    tenantId: request.principal.tenant.id,
    accountId: request.principal.id,
    pace: new ReaderPace(request.reader, dependencies.slowReader),
    get isStopped() {
      return stop.signal.aborted;
    },
    state: 'RUNNING',
    rows: 0,
    bytes: 0,
    splitsDone: null,
    splitsTotal: null,
    stop: (reason) => stop.abort(reason),
  };
  dependencies.running.add(live);
  dependencies.waiting.remove(queryId);
  return { live, signal: stop.signal, clearDeadline: () => clearTimeout(deadline) };
}

const timeLimitExceeded = (limitMs: number): ProblemError =>
  new ProblemError('time_limit', `The query ran longer than the ${Math.round(limitMs / 1000)} s that it may run.`);

const recordOf = (hostId: string, queryId: string, request: QueryRequest): Parameters<QueryStore['begin']>[0] => ({
  tenantId: request.principal.tenant.id,
  queryId,
  accountKind: request.principal.kind,
  accountId: request.principal.id,
  user: request.principal.name,
  sessionId: request.principal.sessionId,
  secretId: request.principal.secretId,
  hostId,
  sql: request.sql,
  action: request.action,
  target: request.target ?? queryId,
  metadata: request.metadata,
  requestId: request.requestId,
  address: request.address,
  userAgent: request.userAgent,
});
