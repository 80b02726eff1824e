import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Row, Transaction } from './transaction.ts';

/** What the driver's Client has beyond its published types (pg 8, lib/client.js). */
interface DriverClient {
  readonly connection: {
    /** Text by name, of what this connection has planned. */
    readonly parsedStatements: Record<string, string>;
    close(message: { readonly type: 'S'; readonly name: string }): void;
  };
}

/** From so many times on, a statement is not planned anew. */
const UNNAMED_RUNS_MAX = 2;
/** What the server takes any array for in a plan that it keeps: longer ones are planned for as they are. */
const GENERIC_PLAN_ARRAY_MAX = 10;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > GENERIC_PLAN_ARRAY_MAX;

export interface ClientTransaction extends Transaction {
  end(verb: 'commit' | 'rollback'): Promise<void>;
}

/**
 * The open transaction of a client. To plan one of our larger statements takes the server many times as long as to run it, so what a
 * transaction does again and again is kept under a name: one of its own, which ends with it, for behind a pooler the next
 * transaction may be on another server connection.
 */
export function createClientTransaction(client: pg.PoolClient): ClientTransaction {
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
    async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
      const name = nameOf(text, values);
      const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows } = await client.query<R & pg.QueryResultRow>(statement);
      return rows;
    },
    async end(verb) {
      // By the protocol, not by DEALLOCATE: a pooler may know the names by others. To close what is not there is no error.
      for (const name of namesByText.values()) {
        connection.close({ type: 'S', name });
        delete connection.parsedStatements[name];
      }
      await client.query(verb);
    },
  };
}
