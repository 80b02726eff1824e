import pg from 'pg';
import type { ScopeSetting } from './scope.ts';
import type { PreparedStatement } from './transaction.ts';

/** What the driver's Connection has beyond its published types (pg 8, lib/connection.js). */
interface DriverConnection {
  /** Text by name, of what this connection has planned. */
  readonly parsedStatements: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(message: object): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}

/** What the driver's Query has beyond its published types (pg 8, lib/query.js); pg-cursor implements the same. */
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
  /** `named`: kept by the connection from one time to the next. `unnamed`: planned each time. */
  readonly plans: 'named' | 'unnamed';
  /** Gets the rows, of which no objects are made then. */
  readonly onRow?: RowHandler | undefined;
}

/** The values of one row, as the server wrote them. */
export type RowHandler = (values: readonly (string | null)[]) => void;

/**
 * One statement under a scope, as a transaction in one round trip. PostgreSQL runs everything up to a Sync message as one
 * implicit transaction (protocol chapter, "Pipelining"), so the scope ends with it, whether it commits or fails, and no server
 * connection keeps it for the next caller, behind a pooler neither. The driver's own Query writes and reads the statement; this
 * puts the scope before it.
 */
export class ScopedQuery extends Query {
  readonly #setting: ScopeSetting;
  readonly #settingName: string;
  readonly #take: RowHandler | undefined;
  #isScoped = false;

  constructor({ setting, statement, values, plans, onRow }: ScopedStatement, settled: Settled) {
    const name = plans === 'named' ? { name: statement.name } : {};
    super({ ...name, text: statement.text, values: [...values], queryMode: 'extended' }, undefined, settled);
    this.#setting = setting;
    this.#take = onRow;
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

  /** The setting answers with a row of its own. */
  override handleDataRow(message: Parameters<DriverQuery['handleDataRow']>[0]): void {
    if (!this.#isScoped) return;
    if (this.#take === undefined) super.handleDataRow(message);
    else this.#take(message.fields);
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.#isScoped) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isScoped = true;
    if (this.#settingName !== '') connection.parsedStatements[this.#settingName] = this.#setting.statement.text;
  }

  /** The driver took the first plan's word for both, so after a failure neither is believed to be there. */
  override handleError(error: Error, connection: DriverConnection): void {
    for (const name of [this.#settingName, this.name ?? '']) delete connection.parsedStatements[name];
    super.handleError(error, connection);
  }
}

/** Before a name is given out: what a failure left under it would be in the way. Closing what is not there is no error. */
const forget = (connection: DriverConnection, name: string): void => {
  if (name !== '') connection.close({ type: 'S', name });
};
