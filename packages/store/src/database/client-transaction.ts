import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type OnOperation, observeOperation } from './observe-operation.ts';
import type { Row, Transaction } from './transaction.ts';
import { limitTransaction } from './transaction-limits.ts';

/** Members of the driver's Client that its published types lack (pg 8, lib/client.js). */
interface DriverClient {
  readonly connection: {
    /** SQL of this connection's prepared statements, by name. */
    readonly parsedStatements: Record<string, string>;
    close(message: { readonly type: 'S'; readonly name: string }): void;
  };
}

/** Runs of a statement before it becomes a prepared statement. */
const UNNAMED_RUNS_MAX = 2;
/** Array length that the server assumes in a generic plan. Statements with longer arrays get a plan for their actual values. */
const GENERIC_PLAN_ARRAY_MAX = 10;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > GENERIC_PLAN_ARRAY_MAX;

export interface ClientTransaction extends Transaction {
  /** Begins it, under a scope. */
  begin(tenantSetting: string): Promise<void>;
  end(verb: 'commit' | 'rollback'): Promise<void>;
}

/**
 * Creates the open transaction of a client. The server takes many times as long to plan one of our larger statements as to run it, so a
 * statement that a transaction repeats becomes a prepared statement. Its name ends with the transaction, because behind a pooler the next
 * transaction may run on another server connection.
 */
export function createClientTransaction(client: pg.PoolClient, onOperation?: OnOperation): ClientTransaction {
  const { connection } = client as unknown as DriverClient;
  const timesByText = new Map<string, number>();
  const namesByText = new Map<string, string>();

  const nameOf = (text: string, values: readonly unknown[]): string | undefined => {
    if (values.length === 0 || values.some(isLong)) return undefined;
    const times = (timesByText.get(text) ?? 0) + 1;
    timesByText.set(text, times);
    if (times <= UNNAMED_RUNS_MAX) return undefined;
    const name = namesByText.get(text) ?? randomUUID();
    namesByText.set(text, name);
    return name;
  };

  return {
    async begin(tenantSetting) {
      // The value is a checked uuid or a constant, so the text may contain it. This sends two statements in one round trip.
      const text = `begin; select set_config('sluice.tenant_id', '${tenantSetting}', true), ${limitTransaction()}`;
      await observeOperation(text, () => client.query(text), onOperation);
    },
    async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
      const name = nameOf(text, values);
      const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const run = () => client.query<R & pg.QueryResultRow>(statement);
      const { rows } = await observeOperation(text, run, onOperation);
      return rows;
    },
    async end(verb) {
      // A protocol message, not DEALLOCATE: a pooler may use other names on the server. Closing an unknown name is not an error.
      for (const name of namesByText.values()) {
        connection.close({ type: 'S', name });
        delete connection.parsedStatements[name];
      }
      await observeOperation(verb, () => client.query(verb), onOperation);
    },
  };
}
