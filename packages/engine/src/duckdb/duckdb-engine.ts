import { randomUUID } from 'node:crypto';
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { type Column, ProblemError } from '@sluice/contract';
import { uniqueColumns } from '@sluice/encoders';
import type { Engine, RenderRows, ResultEvent, Statement } from '../engine.ts';
import { checkStatement, hiddenPathsOf } from './checked-statement.ts';
import { duckDbProblem, withoutPaths } from './errors.ts';
import { hideFileNames } from './hide-file-names.ts';
import { DuckDb } from './instance.ts';
import { Interruption } from './interruption.ts';
import { AbandonedWork, PLAN_TIMEOUT_MS, tooSlowToPlan, withDeadline } from './plan-deadline.ts';
import type { DuckDbProfile } from './profile.ts';
import { columnAlias, rowExpression } from './row-expression.ts';
import { readRows } from './row-stream.ts';
import { sqlString } from './sql-text.ts';
import { trinoTypeName } from './types.ts';

type Allocate = (bytes: number) => Uint8Array;

/** DuckDB behind the engine contract: one statement at a time, each on a connection of its own. */
export class DuckDbEngine implements Engine {
  readonly #duckDb: DuckDb;
  readonly #allocate: Allocate;
  #isSpent = false;

  private constructor(duckDb: DuckDb, allocate: Allocate) {
    this.#duckDb = duckDb;
    this.#allocate = allocate;
  }

  /** `allocate` gives the memory that rows are copied to; by default each event gets its own. */
  static async open(profile: DuckDbProfile, allocate: Allocate = Buffer.allocUnsafeSlow): Promise<DuckDbEngine> {
    return new DuckDbEngine(await DuckDb.open(profile), allocate);
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }

  async *run(statement: Statement, render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent> {
    signal.throwIfAborted();
    const connection = await this.#duckDb.connect(statement.timeZone);
    const interruption = new Interruption(connection, signal);
    try {
      yield* this.#result(connection, { statement, render, signal, interruption });
    } catch (thrown) {
      if (thrown instanceof AbandonedWork) this.#isSpent = true;
      if (thrown instanceof AbandonedWork) throw thrown.problem;
      signal.throwIfAborted(); // an interrupted statement fails with the reason of the interrupt, not with the engine's word for it
      const context = { sql: statement.sql, offsetBytes: 0, hiddenPaths: hiddenPathsOf(this.#duckDb) };
      const problem = duckDbProblem(thrown, context);
      if (problem.code === 'internal') this.#isSpent = true; // DuckDB refuses everything after an error within itself
      throw problem;
    } finally {
      interruption[Symbol.dispose]();
      if (!this.#isSpent) connection.closeSync(); // closing waits for what the connection does
    }
  }

  async *#result(connection: DuckDBConnection, run: Run): AsyncIterable<ResultEvent> {
    const checked = await checkStatement(this.#duckDb, connection, run.statement.sql);
    run.signal.throwIfAborted();
    const source =
      checked.kind === 'explain'
        ? await explainSource(checked.prepared, hiddenPathsOf(this.#duckDb))
        : { sql: checked.text, shape: shapeOf(checked.prepared), parameters: [] };
    checked.prepared.destroySync();
    await connection.run(`SET disabled_optimizers = '${checked.isUnordered ? LATE_MATERIALIZATION : ''}'`);
    yield { kind: 'columns', columns: source.shape.columns };
    yield* this.#rows(connection, source, run);
  }

  async *#rows(connection: DuckDBConnection, source: Source, run: Run): AsyncIterable<ResultEvent> {
    const template = run.render(source.shape.columns);
    const row = rowExpression(template, source.shape.types, run.statement.timeZone);
    const wrapped = wrap(source, row, run.statement.rowsMax);
    const endMark = `end of result ${randomUUID()}`;
    try {
      const work = connection.prepare(`${wrapped.sql} UNION ALL SELECT ${sqlString(endMark)}`);
      const prepared = await withDeadline(work, PLAN_TIMEOUT_MS, tooSlowToPlan());
      bindLists(prepared, source.parameters);
      const result = await prepared.stream();
      run.signal.throwIfAborted();
      const separatorBytes = Buffer.byteLength(template.separator);
      const end = yield* readRows(result, {
        endMark,
        separatorBytes,
        rowsMax: run.statement.rowsMax,
        interrupt: () => run.interruption.begin(),
        allocate: this.#allocate,
      });
      run.signal.throwIfAborted();
      if (end === undefined) throw await this.#lostError(connection, wrapped, source);
      yield { kind: 'end', limited: end.limited };
    } catch (thrown) {
      if (thrown instanceof AbandonedWork) throw thrown;
      run.signal.throwIfAborted();
      throw duckDbProblem(thrown, {
        sql: run.statement.sql,
        offsetBytes: wrapped.offsetBytes,
        hiddenPaths: hiddenPathsOf(this.#duckDb),
      });
    }
  }

  /**
   * A streamed result that fails part-way ends without a word (the binding has no way to ask). The same statement, materialised
   * under an aggregate that needs every byte of every row, fails with the engine's own message.
   */
  async #lostError(connection: DuckDBConnection, wrapped: Wrapped, source: Source): Promise<unknown> {
    try {
      const prepared = await connection.prepare(`SELECT max(length(line)) FROM (${wrapped.sql}) AS result(line)`);
      bindLists(prepared, source.parameters);
      await prepared.run();
    } catch (thrown) {
      return duckDbProblem(thrown, {
        sql: source.sql,
        offsetBytes: wrapped.offsetBytes + LOST_ERROR_PREFIX_BYTES,
        hiddenPaths: hiddenPathsOf(this.#duckDb),
      });
    }
    return new ProblemError(
      'internal',
      'The engine ended the result before its end and did not say why. What was sent is not the whole result.',
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isSpent) this.#duckDb[Symbol.dispose]();
  }
}

/**
 * It turns LIMIT into a join by row ids, which saves wide columns where rows are sorted first (8 times, measured), and costs 4 to
 * 9 times the query where the first rows will do.
 */
const LATE_MATERIALIZATION = 'late_materialization';

const LOST_ERROR_PREFIX_BYTES = Buffer.byteLength('SELECT max(length(line)) FROM (');

interface Run {
  readonly statement: Statement;
  readonly render: RenderRows;
  readonly signal: AbortSignal;
  readonly interruption: Interruption;
}

interface Shape {
  readonly columns: readonly Column[];
  readonly types: readonly DuckDBType[];
}

/** SQL that can stand in FROM, and the lists that are bound to its parameters. */
interface Source {
  readonly sql: string;
  readonly shape: Shape;
  readonly parameters: readonly (readonly string[])[];
}

interface Wrapped {
  readonly sql: string;
  /** Bytes before the caller's SQL. */
  readonly offsetBytes: number;
}

function shapeOf(prepared: DuckDBPreparedStatement): Shape {
  const indexes = Array.from({ length: prepared.columnCount }, (_, index) => index);
  const types = indexes.map((index) => prepared.columnType(index));
  return {
    types,
    columns: uniqueColumns(
      types.map((type, index) => ({ name: prepared.columnName(index), type: trinoTypeName(type) })),
    ),
  };
}

function bindLists(prepared: DuckDBPreparedStatement, lists: Source['parameters']): void {
  for (const [index, values] of lists.entries()) prepared.bindList(index + 1, values);
}

/** Columns get aliases by position, because names may be doubled; the line feed ends a comment on the last line. */
function wrap(source: Source, row: string, rowsMax: number | undefined): Wrapped {
  const aliases = source.shape.columns.map((_, index) => columnAlias(index)).join(', ');
  const before = rowsMax === undefined ? `SELECT ${row} FROM (\n` : `SELECT ${row} FROM (SELECT * FROM (\n`;
  const after = rowsMax === undefined ? `\n) AS result(${aliases})` : `\n) LIMIT ${rowsMax + 1}) AS result(${aliases})`;
  return { sql: `${before}${source.sql}${after}`, offsetBytes: Buffer.byteLength(before) };
}

/** EXPLAIN cannot be wrapped. Its few lines of text are read first and then selected as the values of a statement that can. */
async function explainSource(prepared: DuckDBPreparedStatement, hiddenPaths: readonly string[]): Promise<Source> {
  const shape = shapeOf(prepared);
  const rows = (await prepared.runAndReadAll()).getRows();
  const visible = (value: unknown): string => withoutPaths(hideFileNames(String(value)), hiddenPaths);
  const parameters = shape.columns.map((_, index) => rows.map((row) => visible(row[index])));
  return {
    sql: `SELECT ${parameters.map((_, index) => `unnest($${index + 1}::VARCHAR[])`).join(', ')}`,
    shape,
    parameters,
  };
}
