import { randomUUID } from 'node:crypto';
import { asProblem, auditOf, type Caller, type ProblemError, STATEMENT_PROBLEMS } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import {
  type CatalogueStatement,
  type ClientSession,
  type DoorStatement,
  describeOutputRows,
  presentError,
  presentTrinoError,
  type SessionStatement,
  TrinoError,
} from '@sluice/trino-protocol';
import { sourceOfAnswer } from '../../door/answer-source.ts';
import type { CatalogueReads } from '../../door/catalogue-reads.ts';
import { OpenResult } from '../../door/open-result.ts';
import type { PagePosition } from '../../door/page-position.ts';
import { PageReader } from '../../door/page-reader.ts';
import type { PreparedAnswer, PreparedAnswers } from '../../door/prepared-answers.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';
import type { AnswerCatalogue } from './answer-catalogue.ts';
import { type BeginQueryDependencies, beginQuery } from './begin-query.ts';
import type { DescribeOutput } from './describe-output.ts';
import type { ReadStatement } from './read-statement.ts';
import type { RecordRefusal } from './record-refusal.ts';

interface BeginStatementDependencies extends BeginQueryDependencies {
  readonly readStatement: ReadStatement;
  readonly cancelQuery: CancelQuery;
  readonly recordRefusal: RecordRefusal;
  readonly preparedAnswers: PreparedAnswers;
  readonly answerCatalogue: AnswerCatalogue;
  readonly describeOutput: DescribeOutput;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Records of statements that the host answers itself. */
  readonly catalogueReads: Pick<CatalogueReads, 'record'>;
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
  { sql: sent, session, statement, signal }: NewStatement,
): Promise<BegunStatement> {
  const { capabilities } = session;
  const sql = statement.executed ?? sent;
  switch (statement.kind) {
    case 'query': {
      const id = await beginQuery(dependencies, caller, { session, signal, ...statement });
      return { id, position: { rows: 0, capabilities, isPrepared: false } };
    }
    case 'catalogue':
      return await beginCatalogue(dependencies, caller, { sql, session, signal, statement });
    case 'session':
      return await beginSession(dependencies, caller, { sql, session, signal, statement });
    case 'describe output':
      return await answered(dependencies, caller, {
        session,
        answer: () => outputAnswer(dependencies, caller, { sql, session, signal, statement }),
      });
    case 'kill': {
      const answer = await killAnswer(dependencies, caller, { sql, statement });
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

const sessionAnswer = ({
  updateType,
  headers,
  result,
}: Pick<SessionStatement, 'updateType' | 'headers' | 'result'>): PreparedAnswer => ({
  columns: result?.columns ?? [],
  rows: result?.rows ?? [],
  updateType,
  headers,
});

const isOfStatement = ({ code }: ProblemError): boolean => STATEMENT_PROBLEMS.some((each) => each === code);

/** `CALL system.runtime.kill_query`, for the caller's own queries. */
async function killAnswer(
  { cancelQuery, catalogueReads }: BeginStatementDependencies,
  caller: Caller,
  { sql, statement }: Pick<NewStatementOf<'kill'>, 'sql' | 'statement'>,
): Promise<PreparedAnswer> {
  try {
    const { queryId, message = '' } = statement;
    await cancelQuery(caller, queryId.toLowerCase(), message);
    return { columns: [], rows: [], updateType: 'CALL' };
  } catch (thrown) {
    const { code, message } = asProblem(thrown);
    if (code !== 'not_found') throw thrown;
    await catalogueReads.record(caller, sql);
    return failed(presentError({ code, message }));
  }
}

/** Statement of a kind, with its session. */
type NewStatementOf<Kind extends DoorStatement['kind']> = Omit<NewStatement, 'statement'> & {
  readonly statement: Extract<DoorStatement, { readonly kind: Kind }>;
};

/**
 * Keeps the rows of a catalogue until they are read, where any host finds them, or on this host alone if they are too large for that. What is
 * wrong with the statement is in its page.
 */
async function beginCatalogue(
  dependencies: BeginStatementDependencies,
  caller: Caller,
  { session, ...input }: NewStatementOf<'catalogue'>,
): Promise<BegunStatement> {
  const { answerCatalogue, openResults, preparedAnswers } = dependencies;
  try {
    const answer = await answerCatalogue(caller, input);
    const id = randomUUID();
    const { principal: account } = caller;
    const isPrepared = await preparedAnswers.putList(account, id, answer);
    const reader = new PageReader();
    if (!isPrepared) openResults.add(new OpenResult({ id, account, source: sourceOfAnswer(answer), reader }));
    return { id, position: { rows: 0, capabilities: session.capabilities, isPrepared } };
  } catch (thrown) {
    // `answerCatalogue` has recorded the statement.
    return await prepared(dependencies, caller, { session, answer: failureAnswer(thrown) });
  }
}

/** Records a statement that changes the session of the client, and answers it if the schema that it may name exists. */
async function beginSession(
  dependencies: BeginStatementDependencies,
  caller: Caller,
  { sql, session, signal, statement }: NewStatementOf<'session'>,
): Promise<BegunStatement> {
  const { namespace } = statement;
  const answer = async (): Promise<PreparedAnswer> => {
    if (namespace === undefined) await dependencies.catalogueReads.record(caller, sql);
    else await dependencies.answerCatalogue(caller, { sql, statement: lookUp(namespace), signal });
    return sessionAnswer(statement);
  };
  return await answered(dependencies, caller, { session, answer });
}

/** Returns a statement without rows, whose answer fails if the schema does not exist. */
const lookUp = (namespace: NonNullable<SessionStatement['namespace']>): CatalogueStatement => ({
  ...{ kind: 'catalogue', sql: 'SELECT 1 AS found WHERE false' },
  requires: [namespace],
  spellings: [],
});

async function outputAnswer(
  { answerCatalogue, catalogueReads, describeOutput, readStatement, audit }: BeginStatementDependencies,
  caller: Caller,
  { sql, session, signal, statement }: NewStatementOf<'describe output'>,
): Promise<PreparedAnswer> {
  const described = await readStatement(caller, statement.sql, session);
  if (described.kind === 'catalogue') {
    const { columns } = await answerCatalogue(caller, { sql, statement: described, signal });
    return sessionAnswer({ updateType: undefined, headers: {}, result: describeOutputRows(columns) });
  }
  if (described.kind === 'session' && described.result !== undefined) {
    await catalogueReads.record(caller, sql);
    return sessionAnswer({ updateType: undefined, headers: {}, result: describeOutputRows(described.result.columns) });
  }
  // On record in every tenant: the engine plans the statement.
  await audit.append(auditOf(caller, { action: 'READ_CATALOG', target: 'catalog', metadata: { sql } }));
  const text = described.kind === 'query' ? described.sql : statement.sql;
  const columns = await describeOutput(caller, { sql: text, session, signal });
  return sessionAnswer({ updateType: undefined, headers: {}, result: describeOutputRows(columns) });
}

/** Keeps an answer, or what is wrong with its statement, for the request for its page. */
async function answered(
  dependencies: BeginStatementDependencies,
  caller: Caller,
  { session, answer }: { readonly session: ClientSession; readonly answer: () => Promise<PreparedAnswer> },
): Promise<BegunStatement> {
  return await prepared(dependencies, caller, { session, answer: await answer().catch(failureAnswer) });
}

/** Returns the answer to a statement that failed. Throws what is not wrong with the statement itself. */
function failureAnswer(thrown: unknown): PreparedAnswer {
  if (thrown instanceof TrinoError) return failed(presentTrinoError(thrown));
  const problem = asProblem(thrown);
  if (!isOfStatement(problem) || problem.status >= 500) throw thrown;
  const { streamCode: code, message, location, engineError } = problem;
  return failed(presentError({ code, message, location, engineError }));
}
