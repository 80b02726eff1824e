import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { withPlanningLimit } from '../planning-limit.ts';
import { type Shape, shapeOf } from '../source.ts';
import { RecentEntries } from './recent-entries.ts';
import type { Scope } from './scope.ts';

/** Prepared statements that a connection keeps. */
const KEPT_MAX = 64;
/**
 * Longer or wider statements are prepared each time. Within both limits a plan takes up to 0.4 MB (measured), 64 of them 25 MB. A sort with
 * a limit also keeps the rows of its last run: 1 MB for 1,000 rows of three columns.
 */
export const KEPT_CHARACTERS_MAX = 4_096;
const KEPT_COLUMNS_MAX = 200;

export interface PrepareOptions {
  /** A second run of the prepared statement returns what a new one would (`isRepeatable`). */
  readonly isRepeatable: boolean;
  /** Processor time limit for planning. */
  readonly planningMsMax: number | undefined;
  /** Types of the statement's parameters: a plan depends on them, but not on their values. */
  readonly parameterTypes?: readonly string[];
}

/** A prepared statement. Disposing of it destroys it, unless the session keeps it for the next run. */
export interface PreparedQuery extends Disposable {
  readonly statement: DuckDBPreparedStatement;
  readonly shape: Shape;
}

/**
 * A connection with the settings of one time zone and one scope, and the statements that it keeps prepared. What else a plan depends on (attached
 * files) is the same for every statement of an engine; the limit of rows is part of the SQL.
 */
export class Session implements Disposable {
  readonly connection: DuckDBConnection;
  readonly timeZone: string;
  readonly scope: Scope;
  readonly #kept = new RecentEntries<Prepared>(KEPT_MAX, ({ statement }) => statement.destroySync());

  constructor(connection: DuckDBConnection, { timeZone, scope }: Pick<Session, 'timeZone' | 'scope'>) {
    this.connection = connection;
    this.timeZone = timeZone;
    this.scope = scope;
  }

  /** Number of statements that are kept prepared. */
  get keptCount(): number {
    return this.#kept.size;
  }

  /** Prepares a statement, or returns the kept one. Throws the engine's error, or AbandonedWork if planning takes too long. */
  async prepare(
    sql: string,
    { isRepeatable, planningMsMax, parameterTypes = [] }: PrepareOptions,
  ): Promise<PreparedQuery> {
    const mayBeKept = isRepeatable && sql.length <= KEPT_CHARACTERS_MAX;
    const key = JSON.stringify([sql, ...parameterTypes]);
    const found = mayBeKept ? this.#kept.get(key) : undefined;
    if (found !== undefined) return found;
    const statement = await withPlanningLimit(this.connection.prepare(sql), planningMsMax);
    const isKept = mayBeKept && statement.columnCount <= KEPT_COLUMNS_MAX;
    const prepared = new Prepared(statement, isKept);
    if (isKept) this.#kept.add(key, prepared);
    return prepared;
  }

  /** Closes the connection. Waits for its work. */
  [Symbol.dispose](): void {
    this.#kept.clear();
    this.connection.closeSync();
  }
}

class Prepared implements PreparedQuery {
  readonly statement: DuckDBPreparedStatement;
  readonly #isKept: boolean;
  #shape: Shape | undefined;

  constructor(statement: DuckDBPreparedStatement, isKept: boolean) {
    this.statement = statement;
    this.#isKept = isKept;
  }

  get shape(): Shape {
    this.#shape ??= shapeOf(this.statement);
    return this.#shape;
  }

  [Symbol.dispose](): void {
    if (!this.#isKept) this.statement.destroySync();
  }
}
