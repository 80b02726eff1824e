import type { Column } from '@sluice/contract';
import type { ProblemError } from '@sluice/contract/problems';
import { ANALYZE_NOT_DESCRIBED } from '../analyze-not-described.ts';
import type { ColumnsEvent, Engine, RenderRows, ResultEvent, Statement } from '../engine.ts';
import { WriterMemory } from '../row-writer-module/writer-memory.ts';
import type { StoredResult } from '../stored/stored-result.ts';
import { distinctTables, type TableName } from '../table-name.ts';
import { type CheckedStatement, checkStatement, guardStatement, hiddenPathsOf } from './checked-statement.ts';
import { duckDbProblem, isInternalFailure, withTemporaryFiles } from './errors.ts';
import { readOnlyProblem } from './guard/read-only-guard.ts';
import { splitExplain } from './guard/split-explain.ts';
import { DuckDb } from './instance.ts';
import { Interruption } from './interruption.ts';
import { boundShape, querySource, type SourceContext } from './parameters/query-source.ts';
import { fileType } from './parquet/file-types.ts';
import { writeParquet } from './parquet/write-parquet.ts';
import { writeStoredParquet } from './parquet/write-stored-parquet.ts';
import { AbandonedWork } from './planning-limit.ts';
import type { DuckDbProfile } from './profile.ts';
import { withValidText } from './rows/valid-text.ts';
import type { Session } from './session/session.ts';
import { explainSource, shapeOf } from './source.ts';
import { typedResult } from './typed-path/typed-result.ts';

type Allocate = (bytes: number) => Uint8Array;

interface DuckDbEngineOptions {
  /** Returns the memory that rows are copied to; by default each event gets its own. */
  readonly allocate?: Allocate;
  /** Number of events whose memory the receiver may use before it calls `release`; 0: every event is a copy. */
  readonly lendableFrames?: number;
}

/** DuckDB with the common engine contract: one statement at a time, each on its own connection. */
export class DuckDbEngine implements Engine {
  readonly #duckDb: DuckDb;
  readonly #allocate: Allocate;
  readonly #writer: WriterMemory;
  #mustReplace = false;

  private constructor(duckDb: DuckDb, writer: WriterMemory, allocate: Allocate) {
    this.#duckDb = duckDb;
    this.#writer = writer;
    this.#allocate = allocate;
  }

  /** Throws `engine_unavailable` if a catalog cannot be opened, or if the row writer cannot start. */
  static async open(
    profile: DuckDbProfile,
    { allocate = Buffer.allocUnsafeSlow, lendableFrames = 0 }: DuckDbEngineOptions = {},
  ): Promise<DuckDbEngine> {
    const writer = WriterMemory.open(lendableFrames);
    return new DuckDbEngine(await DuckDb.open(profile), writer, allocate);
  }

  get mustReplace(): boolean {
    return this.#mustReplace;
  }

  run(statement: Statement, render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent> {
    return this.#onConnection({ statement, signal }, (session, interruption) =>
      this.#result(session, { statement, render, signal, interruption }),
    );
  }

  async describe(statement: Statement, signal: AbortSignal): Promise<readonly Column[]> {
    if (splitExplain(statement.sql).prefix.includes('ANALYZE')) throw readOnlyProblem(ANALYZE_NOT_DESCRIBED);
    return (await this.#describe(statement, signal)).columns;
  }

  async tables(statement: Statement, signal: AbortSignal): Promise<readonly TableName[]> {
    return distinctTables((await this.#describe(statement, signal)).tables ?? []);
  }

  storedParquet(stored: StoredResult, signal: AbortSignal): AsyncIterable<ResultEvent> {
    const statement = { sql: '', queryId: '', user: '', timeZone: stored.timeZone };
    return this.#onConnection({ statement, signal }, (session, interruption) =>
      writeStoredParquet(this.#duckDb, session.connection, {
        stored,
        statement,
        signal,
        interruption,
        ...this.#contextOf(statement),
        allocate: this.#allocate,
      }),
    );
  }

  async namedTables(statement: Statement, signal: AbortSignal): Promise<readonly TableName[] | undefined> {
    const { sql } = statement;
    signal.throwIfAborted();
    const scope = this.#duckDb.scopeOf(statement);
    try {
      const { verdict } = await guardStatement(this.#duckDb, scope, sql);
      if (verdict.rejections.length > 0) return undefined;
      return distinctTables(await scope.viewTables.withSources(verdict.tables));
    } catch (thrown) {
      throw this.#failure(thrown, sql, signal);
    }
  }

  async #describe(statement: Statement, signal: AbortSignal): Promise<ColumnsEvent> {
    let described: ColumnsEvent = { kind: 'columns', columns: [] };
    const events = this.#onConnection({ statement, signal }, (session) => this.#shape(session, statement));
    for await (const event of events) if (event.kind === 'columns') described = event;
    return described;
  }

  async *#onConnection(
    { statement, signal }: Pick<Run, 'statement' | 'signal'>,
    work: (session: Session, interruption: Interruption) => AsyncIterable<ResultEvent>,
  ): AsyncIterable<ResultEvent> {
    signal.throwIfAborted();
    const session = await this.#duckDb.connect(statement.timeZone, this.#duckDb.scopeOf(statement));
    const interruption = new Interruption(session.connection, signal);
    let hasEnded = false;
    try {
      for await (const event of work(session, interruption)) {
        hasEnded = event.kind === 'end';
        yield event;
      }
    } catch (thrown) {
      throw this.#failure(thrown, statement.sql, signal);
    } finally {
      interruption[Symbol.dispose]();
      if (hasEnded && !signal.aborted) this.#duckDb.keep(session);
      else if (!this.#mustReplace) session[Symbol.dispose]();
    }
  }

  /** Returns the problem of a failed statement, and notes whether this process can go on. Throws the reason of an aborted signal. */
  #failure(thrown: unknown, sql: string, signal: AbortSignal): ProblemError {
    if (thrown instanceof AbandonedWork) this.#mustReplace = true;
    if (thrown instanceof AbandonedWork) return thrown.problem;
    signal.throwIfAborted(); // an interrupted statement fails with the reason of the interrupt, not with the engine's message
    const context = { sql, offsetBytes: 0, hiddenPaths: hiddenPathsOf(this.#duckDb) };
    const problem = withTemporaryFiles(duckDbProblem(thrown, context), this.#duckDb.profile.tempFolder);
    // DuckDB rejects everything after an internal error.
    if (problem.code === 'internal' || isInternalFailure(problem)) this.#mustReplace = true;
    return problem;
  }

  async *#shape(session: Session, statement: Statement): AsyncIterable<ResultEvent> {
    const checked = await checkStatement(this.#duckDb, session, statement);
    using prepared = checked.prepared;
    const needsRun = checked.kind === 'explain' && checked.parameters.length > 0;
    const { columns } = needsRun
      ? shapeOf(await this.#explained(statement, checked, prepared.statement.run()))
      : await boundShape(session.connection, checked, this.#contextOf(statement));
    yield { kind: 'columns', columns, tables: [...checked.tables] };
    yield { kind: 'end', limited: false };
  }

  async *#result(session: Session, run: Run): AsyncIterable<ResultEvent> {
    const { statement, signal, interruption } = run;
    const { connection } = session;
    const checked = await checkStatement(this.#duckDb, session, statement);
    try {
      signal.throwIfAborted();
      const { hiddenPaths, planningMsMax } = this.#contextOf(statement);
      const source =
        checked.kind === 'explain'
          ? await this.#explained(statement, checked, explainSource(checked.prepared.statement, hiddenPaths))
          : await querySource(connection, checked, this.#contextOf(statement));
      const { columns } = source.shape;
      const fileTypes = statement.keepsRows ? source.shape.types.map(fileType) : undefined;
      yield { kind: 'columns', columns, ...(fileTypes && { fileTypes }) };
      const template = run.render(columns);
      const allocate = this.#allocate;
      const query = {
        statement,
        checked,
        source,
        template,
        signal,
        interruption,
        hiddenPaths,
        planningMsMax,
        allocate,
      };
      if (template.style.notation === 'parquet') {
        yield* writeParquet(this.#duckDb, connection, query);
        return;
      }
      yield* withValidText(typedResult(this.#writer, session, query));
    } finally {
      checked.prepared[Symbol.dispose]();
    }
  }

  /** Resolves like the run of an EXPLAIN, whose statement DuckDB plans only now if it has parameters. */
  async #explained<T>({ sql }: Statement, { offsetBytes }: CheckedStatement, run: Promise<T>): Promise<T> {
    try {
      return await run;
    } catch (thrown) {
      throw duckDbProblem(thrown, { sql, offsetBytes, hiddenPaths: hiddenPathsOf(this.#duckDb) });
    }
  }

  #contextOf({ sql }: Statement): SourceContext {
    return { sql, hiddenPaths: hiddenPathsOf(this.#duckDb), planningMsMax: this.#duckDb.profile.planningMsMax };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#mustReplace) this.#duckDb[Symbol.dispose]();
  }
}

interface Run {
  readonly statement: Statement;
  readonly render: RenderRows;
  readonly signal: AbortSignal;
  readonly interruption: Interruption;
}
