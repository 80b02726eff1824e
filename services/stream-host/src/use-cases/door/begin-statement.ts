import { asProblem, type Caller, keepTimeMax, presentKeep, ProblemError } from '@sluice/contract';
import {
  type ClientSession,
  type DoorStatement,
  presentError,
  presentTrinoError,
  type SessionStatement,
  TrinoError,
} from '@sluice/trino-protocol';
import { OpenResult } from '../../door/open-result.ts';
import type { OpenResults } from '../../door/open-results.ts';
import type { PagePosition } from '../../door/page-position.ts';
import { PageReader } from '../../door/page-reader.ts';
import type { PreparedAnswer, PreparedAnswers } from '../../door/prepared-answers.ts';
import type { KeepDefaults } from '../../queries/kept-results.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';
import type { StartQuery } from '../queries/start-query.ts';
import { clientMetadata } from './client-metadata.ts';
import { readStatement } from './read-statement.ts';
import { sourceOfRun } from './run-source.ts';

interface BeginStatementDependencies {
  readonly startQuery: StartQuery;
  readonly cancelQuery: CancelQuery;
  readonly openResults: OpenResults;
  readonly preparedAnswers: PreparedAnswers;
  readonly keepsResults: boolean;
  readonly keepDefaults: Pick<KeepDefaults, 'keepTimeMaxMs'>;
}

interface StatementInput {
  readonly sql: string;
  readonly session: ClientSession;
  /** Signal of the request. It stops the statement until that is recorded and has a worker, and not afterwards. */
  readonly signal: AbortSignal;
}

/** A statement of which a client can read pages. */
export interface BegunStatement {
  readonly id: string;
  /** Its first page. */
  readonly position: PagePosition;
}

/**
 * Begins a statement of a Trino client. A query has a worker and its record is durable when this resolves, as with `POST /query`; what fails
 * later is in its pages. Throws what `startQuery` throws.
 */
export type BeginStatement = (caller: Caller, input: StatementInput) => Promise<BegunStatement>;

export function createBeginStatement(dependencies: BeginStatementDependencies): BeginStatement {
  return async (caller, input) => {
    const statement = readOrError(input);
    const { capabilities } = input.session;
    if (!(statement instanceof TrinoError) && statement.kind === 'query') {
      const id = await beginQuery(dependencies, caller, { ...input, ...statement });
      return { id, position: { rows: 0, capabilities, isPrepared: false } };
    }
    const answer = await answerOf(dependencies, caller, statement);
    const id = await dependencies.preparedAnswers.put(caller.principal, answer);
    return { id, position: { rows: 0, capabilities, isPrepared: true } };
  };
}

/** An error is a page too: drivers ignore what else the answer to a POST has. */
function readOrError({ sql, session }: StatementInput): DoorStatement | TrinoError {
  try {
    return readStatement(sql, session);
  } catch (thrown) {
    if (thrown instanceof TrinoError) return thrown;
    throw thrown;
  }
}

/** Longest time for which the rows of a Trino client are kept, whatever the tenant allows: that of a page that is asked for again. */
const KEEP_MS_MAX = 600_000;

interface QueryStatement extends StatementInput {
  readonly timeLimitMs: number | undefined;
}

async function beginQuery(
  { startQuery, openResults, keepsResults, keepDefaults }: BeginStatementDependencies,
  caller: Caller,
  { sql, session, signal, timeLimitMs }: QueryStatement,
): Promise<string> {
  const { principal } = caller;
  const keepMs = keepsResults ? Math.min(KEEP_MS_MAX, keepTimeMax(principal.tenant.settings, keepDefaults)) : 0;
  const reader = new PageReader();
  const beginning = untilBegun(signal);
  try {
    const run = await startQuery(caller, {
      action: 'RUN_QUERY',
      sql,
      format: { name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      timeZone: session.timeZone ?? 'UTC',
      rowsMax: undefined,
      timeLimitMs,
      keepMs: keepMs === 0 ? undefined : keepMs,
      metadata: { format: 'trino', ...(keepMs === 0 ? {} : { keep: presentKeep(keepMs) }), ...clientMetadata(session) },
      signal: beginning.signal,
      reader,
    });
    openResults.add(new OpenResult({ id: run.queryId, account: principal, source: sourceOfRun(run), reader }));
    return run.queryId;
  } finally {
    beginning.end();
  }
}

/** Follows a signal until the statement has begun. */
function untilBegun(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { signal: controller.signal, end: () => signal.removeEventListener('abort', onAbort) };
}

type OtherStatement = Exclude<DoorStatement, { readonly kind: 'query' }> | TrinoError;

async function answerOf(
  { cancelQuery }: Pick<BeginStatementDependencies, 'cancelQuery'>,
  caller: Caller,
  statement: OtherStatement,
): Promise<PreparedAnswer> {
  if (statement instanceof TrinoError) return failed(presentTrinoError(statement));
  switch (statement.kind) {
    case 'session':
      return sessionAnswer(statement);
    case 'kill':
      return await killAnswer(cancelQuery, caller, statement.queryId);
    case 'catalogue':
      throw new ProblemError('not_supported', 'This statement reads the catalogue, which this host does not answer.');
  }
}

const failed = (error: PreparedAnswer['error']): PreparedAnswer => ({ columns: [], rows: [], error });

const sessionAnswer = ({ updateType, headers, result }: SessionStatement): PreparedAnswer => ({
  columns: result?.columns ?? [],
  rows: result?.rows ?? [],
  updateType,
  headers,
});

/** `CALL system.runtime.kill_query`, for the caller's own queries. */
async function killAnswer(cancelQuery: CancelQuery, caller: Caller, queryId: string): Promise<PreparedAnswer> {
  try {
    await cancelQuery(caller, queryId.toLowerCase());
    return { columns: [], rows: [], updateType: 'CALL' };
  } catch (thrown) {
    const { code, message } = asProblem(thrown);
    if (code !== 'not_found') throw thrown;
    return failed(presentError({ code, message }));
  }
}
