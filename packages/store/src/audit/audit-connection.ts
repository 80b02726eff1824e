import pg from 'pg';
import { storeProblem } from '../database/store-problem.ts';
import { limitTransaction } from '../database/transaction-limits.ts';

const CONNECT_MS = 5000;
const STATEMENT_TIMEOUT = '10min';

/** Opens a connection for work that may take minutes, and closes it. Throws ProblemError. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'sluice-audit',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (thrown) {
    throw storeProblem(thrown);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes the rows of all tenants visible. The settings are local to the transaction, so they work behind a connection pooler. */
const BEGIN = `
  begin; set local statement_timeout = '${STATEMENT_TIMEOUT}'; set local time zone 'utc';
  select set_config('sluice.tenant_id', '*', true), ${limitTransaction()}`;

/** Runs work in a transaction that sees the rows of all tenants. */
export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  }
}
