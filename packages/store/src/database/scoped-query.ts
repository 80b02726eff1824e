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

type Settled = (error: Error | undefined, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  config: pg.QueryConfig & { readonly queryMode: 'extended' },
  values: undefined,
  settled: Settled,
) => pg.Submittable & DriverQuery;

export interface ScopedStatement {
  readonly setting: ScopeSetting;
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  /** `named`: the connection keeps the plan for later runs. `unnamed`: the statement is planned each time. */
  readonly plans: 'named' | 'unnamed';
  /** Receives the rows; no row objects are created. */
  readonly onRow?: RowHandler | undefined;
}

/** Values of one row, as text from the server. */
export type RowHandler = (values: readonly (string | null)[]) => void;

/**
 * One statement under a scope, as a transaction in one round trip. PostgreSQL runs everything up to a Sync message as one implicit
 * transaction (protocol chapter, "Pipelining"). The scope therefore ends with the statement, whether it commits or fails, and no server
 * connection keeps it for the next caller, not even behind a pooler. The driver's own Query writes and reads the statement; this class
 * sends the scope before it.
 */
export class ScopedQuery extends Query {
  readonly #setting: ScopeSetting;
  readonly #settingName: string;
  readonly #onRow: RowHandler | undefined;
  #isScoped = false;

  constructor({ setting, statement, values, plans, onRow }: ScopedStatement, settled: Settled) {
    const name = plans === 'named' ? { name: statement.name } : {};
    super({ ...name, text: statement.text, values: [...values], queryMode: 'extended' }, undefined, settled);
    this.#setting = setting;
    this.#onRow = onRow;
    this.#settingName = plans === 'named' ? setting.statement.name : '';
  }

  override prepare(connection: DriverConnection): void {
    const { statement, value } = this.#setting;
    const name = this.#settingName;
    if (name === '' || connection.parsedStatements[name] === undefined) {
      forget(connection, name);
      connection.parse({ name, text: statement.text });
    }
    connection.bind({ statement: name, values: [value] });
    connection.execute({});
    if (!this.hasBeenParsed(connection)) forget(connection, this.name ?? '');
    super.prepare(connection);
  }

  /** The scope statement returns a row of its own, which is skipped. */
  override handleDataRow(message: Parameters<DriverQuery['handleDataRow']>[0]): void {
    if (!this.#isScoped) return;
    if (this.#onRow === undefined) super.handleDataRow(message);
    else this.#onRow(message.fields);
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.#isScoped) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isScoped = true;
    if (this.#settingName !== '') connection.parsedStatements[this.#settingName] = this.#setting.statement.text;
  }

  /** The driver marked both plans as known when the first one was parsed, so after a failure neither can be trusted to exist. */
  override handleError(error: Error, connection: DriverConnection): void {
    for (const name of [this.#settingName, this.name ?? '']) delete connection.parsedStatements[name];
    super.handleError(error, connection);
  }
}

/** Called before a name is used: a plan left under it by a failure would conflict. Closing an unknown name is not an error. */
const forget = (connection: DriverConnection, name: string): void => {
  if (name !== '') connection.close({ type: 'S', name });
};
