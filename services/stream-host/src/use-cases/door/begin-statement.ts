import { randomUUID } from 'node:crypto';
import { asProblem, type Caller, ProblemError, STATEMENT_PROBLEMS } from '@sluice/contract';
import {
  type ClientSession,
  type DoorStatement,
  presentError,
  presentTrinoError,
  type SessionStatement,
  TrinoError,
} from '@sluice/trino-protocol';
import { type RowsAnswer, sourceOfAnswer } from '../../door/answer-source.ts';
import { OpenResult } from '../../door/open-result.ts';
import type { PagePosition } from '../../door/page-position.ts';
import { PageReader } from '../../door/page-reader.ts';
import type { PreparedAnswer, PreparedAnswers } from '../../door/prepared-answers.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';
import { type BeginQueryDependencies, beginQuery } from './begin-query.ts';
import type { ReadStatement } from './read-statement.ts';
import type { RecordRefusal } from './record-refusal.ts';

/** Answers a statement from the mirrored catalog, and records it before. Throws TrinoError, and problems. */
type AnswerCatalogue = (
  caller: Caller,
  input: { readonly sql: string; readonly session: ClientSession; readonly signal: AbortSignal },
) => Promise<RowsAnswer>;

interface BeginStatementDependencies extends BeginQueryDependencies {
  readonly readStatement: ReadStatement;
  readonly cancelQuery: CancelQuery;
  readonly recordRefusal: RecordRefusal;
  readonly preparedAnswers: PreparedAnswers;
  /** Undefined: this host answers no statements about the catalog. */
  readonly answerCatalogue?: AnswerCatalogue | undefined;
}

interface StatementInput {
  readonly sql: string;
  /** Reads the session of the client. Throws TrinoError for one that cannot be. */
  readonly readSession: () => ClientSession;
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
 * later is in its pages, and so is a refusal of the statement. Throws what `startQuery` throws, and problems of `readSession`.
 */
export type BeginStatement = (caller: Caller, input: StatementInput) => Promise<BegunStatement>;

export function createBeginStatement(dependencies: BeginStatementDependencies): BeginStatement {
  return async (caller, input) => {
    const { sql, signal } = input;
    let session: ClientSession | undefined;
    try {
      session = input.readSession();
      const statement = await dependencies.readStatement(caller, sql, session);
      return await beginRead(dependencies, caller, { sql, session, signal, statement });
    } catch (thrown) {
      if (!(thrown instanceof TrinoError)) throw thrown;
      const id = await dependencies.recordRefusal(caller, { sql, session, error: thrown });
      return await prepared(dependencies, caller, { id, session, answer: failed(presentTrinoError(thrown)) });
    }
  };
}

interface NewStatement extends Omit<StatementInput, 'readSession'> {
  readonly session: ClientSession;
  readonly statement: DoorStatement;
}

async function beginRead(
  dependencies: BeginStatementDependencies,
  caller: Caller,
  { sql, session, statement, signal }: NewStatement,
): Promise<BegunStatement> {
  const { capabilities } = session;
  switch (statement.kind) {
    case 'query': {
      const id = await beginQuery(dependencies, caller, { session, signal, ...statement });
      return { id, position: { rows: 0, capabilities, isPrepared: false } };
    }
    case 'catalogue':
      return await beginCatalogue(dependencies, caller, { sql, session, signal });
    case 'session':
      return await prepared(dependencies, caller, { session, answer: sessionAnswer(statement) });
    case 'kill': {
      const answer = await killAnswer(dependencies.cancelQuery, caller, statement.queryId);
      return await prepared(dependencies, caller, { session, answer });
    }
  }
}

const UNLIMITED = { parametricDatetime: true, number: true };

interface NewAnswer {
  readonly id?: string;
  readonly session: ClientSession | undefined;
  readonly answer: PreparedAnswer;
}

/** Keeps an answer for the request for its page: drivers ignore what else the answer to a POST has. */
async function prepared(
  { preparedAnswers }: Pick<BeginStatementDependencies, 'preparedAnswers'>,
  { principal }: Caller,
  { id = randomUUID(), session, answer }: NewAnswer,
): Promise<BegunStatement> {
  await preparedAnswers.put(principal, id, answer);
  return { id, position: { rows: 0, capabilities: session?.capabilities ?? UNLIMITED, isPrepared: true } };
}

const failed = (error: PreparedAnswer['error']): PreparedAnswer => ({ columns: [], rows: [], error });

const sessionAnswer = ({ updateType, headers, result }: SessionStatement): PreparedAnswer => ({
  columns: result?.columns ?? [],
  rows: result?.rows ?? [],
  updateType,
  headers,
});

const isOfStatement = ({ code }: ProblemError): boolean => STATEMENT_PROBLEMS.some((each) => each === code);

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

/** Holds the rows of a catalogue until they are read, on this host alone. What is wrong with the statement is in its page. */
async function beginCatalogue(
  dependencies: BeginStatementDependencies,
  caller: Caller,
  input: Omit<NewStatement, 'statement'>,
): Promise<BegunStatement> {
  const { answerCatalogue, openResults } = dependencies;
  if (answerCatalogue === undefined) throw noCatalogue();
  const { session } = input;
  try {
    const source = sourceOfAnswer(await answerCatalogue(caller, input));
    const id = randomUUID();
    openResults.add(new OpenResult({ id, account: caller.principal, source, reader: new PageReader() }));
    return { id, position: { rows: 0, capabilities: session.capabilities, isPrepared: false } };
  } catch (thrown) {
    // `answerCatalogue` has recorded the statement.
    if (thrown instanceof TrinoError)
      return await prepared(dependencies, caller, { session, answer: failed(presentTrinoError(thrown)) });
    const problem = asProblem(thrown);
    if (!isOfStatement(problem) || problem.status >= 500) throw thrown;
    const { streamCode: code, message, location } = problem;
    return await prepared(dependencies, caller, { session, answer: failed(presentError({ code, message, location })) });
  }
}

const noCatalogue = (): ProblemError =>
  new ProblemError('not_supported', 'This host does not answer statements about the catalog.');
