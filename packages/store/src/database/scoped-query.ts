import pg from 'pg';
import type { ScopeSetting } from './scope.ts';
import type { PreparedStatement } from './transaction.ts';

/** Members of the driver's Connection that its published types lack (pg 8, lib/connection.js). */
interface DriverConnection {
  /** SQL of this connection's prepared statements, by name. */
  readonly parsedStatements: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(message: object): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}

/** Members of the driver's Query that its published types lack (pg 8, lib/query.js). pg-cursor implements the same interface. */
interface DriverQuery {
  readonly name: string | undefined;
  hasBeenParsed(connection: DriverConnection): unknown;
  prepare(connection: DriverConnection): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
  handleError(error: Error, connection: DriverConnection): void;
}

/** Called once, when the server has committed or rolled back. */
type OnSettled = (error: Error | undefined, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  config: pg.QueryConfig & { readonly queryMode: 'extended' },
  values: undefined,
  onSettled: OnSettled,
) => pg.Submittable & DriverQuery;

/** Statement that runs once, under a scope. */
export interface ScopedStatement {
  readonly setting: ScopeSetting;
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  /** `named`: the connection keeps the prepared statement for later runs. `unnamed`: the server parses it each time. */
  readonly plans: 'named' | 'unnamed';
  /** Receives the rows instead of the result, which would create an object for each. */
  readonly onRow?: RowHandler | undefined;
}

/** Values of one row, as text from the server. */
export type RowHandler = (values: readonly (string | null)[]) => void;

/**
 * Query of one statement under a scope, as a transaction in one round trip. PostgreSQL runs everything up to a Sync message as one implicit
 * transaction (protocol chapter, "Pipelining"). The scope therefore ends with the statement, whether it commits or fails, and no server
 * connection keeps it for the next caller, not even behind a pooler. The driver's own Query writes and reads the statement; this class
 * sends the scope before it.
 */
export class ScopedQuery extends Query {
  readonly #setting: ScopeSetting;
  readonly #settingName: string;
  readonly #onRow: RowHandler | undefined;
  #isScopeSet = false;

  constructor({ setting, statement, values, plans, onRow }: ScopedStatement, onSettled: OnSettled) {
    const name = plans === 'named' ? { name: statement.name } : {};
    super({ ...name, text: statement.text, values: [...values], queryMode: 'extended' }, undefined, onSettled);
    this.#setting = setting;
    this.#onRow = onRow;
    this.#settingName = plans === 'named' ? setting.statement.name : '';
  }

  override prepare(connection: DriverConnection): void {
    const { statement, value } = this.#setting;
    const name = this.#settingName;
    if (name === '' || connection.parsedStatements[name] === undefined) {
      closeStatement(connection, name);
      connection.parse({ name, text: statement.text });
    }
    connection.bind({ statement: name, values: [value] });
    connection.execute({});
    if (!this.hasBeenParsed(connection)) closeStatement(connection, this.name ?? '');
    super.prepare(connection);
  }

  /** The scope statement returns a row of its own, which is skipped. */
  override handleDataRow(message: Parameters<DriverQuery['handleDataRow']>[0]): void {
    if (!this.#isScopeSet) return;
    if (this.#onRow === undefined) super.handleDataRow(message);
    else this.#onRow(message.fields);
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.#isScopeSet) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isScopeSet = true;
    if (this.#settingName !== '') connection.parsedStatements[this.#settingName] = this.#setting.statement.text;
  }

  /**
   * Forgets both names. The driver notes the statement as prepared on the first ParseComplete, which is that of the scope, so after a failure
   * the server may not have it.
   */
  override handleError(error: Error, connection: DriverConnection): void {
    for (const name of [this.#settingName, this.name ?? '']) delete connection.parsedStatements[name];
    super.handleError(error, connection);
  }
}

/**
 * Closes the prepared statement of a name before the name is used: one that a failure left on the server would conflict. Closing an unknown
 * name is not an error.
 */
const closeStatement = (connection: DriverConnection, name: string): void => {
  if (name !== '') connection.close({ type: 'S', name });
};
