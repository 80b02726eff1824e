import pg from 'pg';
import { storeProblem } from '../database/store-problem.ts';

const CONNECT_MS = 5000;
const STATEMENT_MAX = '10min';
/** Connects for work that may take minutes. Throws ProblemError. */
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

/** Every tenant is seen. All settings end with the transaction, behind a pooler too. */
const BEGIN = `
  begin; set local statement_timeout = '${STATEMENT_MAX}'; set local time zone 'utc';
  select set_config('sluice.tenant_id', '*', true)`;

export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const answer = await work();
    await client.query('commit');
    return answer;
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  }
}
