import {
  asProblem,
  type Caller,
  effectiveLimits,
  type LimitDefaults,
  ProblemError,
  readPresentedParameters,
} from '@sluice/contract';
import type { WorkerSource } from '@sluice/query-worker';
import type { RecordedStatement } from '@sluice/store/queries';
import { type EngineResolver, TenantEngines } from '@sluice/tenant-engines';

interface CheckViewDependencies {
  readonly resolveEngine: EngineResolver;
  readonly admission: WorkerSource;
  readonly limitDefaults: LimitDefaults;
}

interface CheckedView {
  /** Undefined: its audit record is gone. */
  readonly statement: RecordedStatement | undefined;
  /** Session of the execution: its time zone, and the schema of unqualified names if the request named one. */
  readonly timeZone: string;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
}

/**
 * Asks the engine whether it accepts the statement of a result as the caller, without running it: Trino plans it (EXPLAIN) as that user, and
 * DuckDB, which has no rights of users, checks it against the catalogs of the tenant. Throws `access_denied` if the engine rejects it, and
 * otherwise what kept it from an answer: `engine_unavailable`, `time_limit`, `too_many_requests`, ...
 */
export type CheckView = (caller: Caller, view: CheckedView) => Promise<void>;

const CHECK_TIME_MS = 15_000;

const UNKNOWN_STATEMENT =
  'The statement of this result is not on record any more, so the engine cannot be asked whether you may view it.';
const DENIED =
  'The engine denies you the statement of this result: you need rights to all tables that it reads, and they must still exist.';

export const createCheckView =
  ({ resolveEngine, admission, limitDefaults }: CheckViewDependencies): CheckView =>
  async ({ principal }, { statement, ...session }) => {
    if (statement === undefined) throw new ProblemError('access_denied', UNKNOWN_STATEMENT);
    const { sql } = statement;
    const parameters = statement.parameters === undefined ? undefined : readPresentedParameters(statement.parameters);
    // The wait counts against the limits of the viewer's own queries.
    const { queriesPerUser, queriesPerTenant } = effectiveLimits(principal.tenant.settings, limitDefaults);
    const workers: WorkerSource = {
      acquire: (requester, signal) => admission.acquire({ ...requester, queriesPerUser, queriesPerTenant }, signal),
    };
    const engines = new TenantEngines(resolveEngine, { workers, describeTimeMs: CHECK_TIME_MS });
    try {
      await engines.describe({ sql, parameters, ...session, signal: new AbortController().signal }, principal);
    } catch (thrown) {
      const problem = asProblem(thrown);
      throw isRefusal(problem) ? new ProblemError('access_denied', DENIED, { cause: problem }) : problem;
    }
  };

/** Returns whether an engine has rejected a statement, and has not just failed to answer. */
const isRefusal = ({ status }: ProblemError): boolean => status === 400 || status === 403;
