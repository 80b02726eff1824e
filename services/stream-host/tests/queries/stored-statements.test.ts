import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, shortOrLong } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, listOf, post, queryIdOf, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

const BYTES = 190_000;
/** Statements of each of two accounts, which stay within the budget of refused statements. */
const STATEMENTS = shortOrLong(5, 100);
/** Bytes in the database for each byte sent. A second copy makes it more than 2; few statements have half a MiB of rows, indexes and empty pages. */
const RATIO_MAX = shortOrLong(1.5, 1.15);

let hosts: TestHosts;
let admin: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const reader = async (): Promise<Credential> => basicOf(await hosts.build.user(hosts.acme));
const get = async (path: string, credential: Credential) =>
  (await send(`${hosts.url}${path}`, { headers: { ...credential } })).body;

/** Returns the bytes on disk of every table that holds something of a query. */
async function storedBytes(): Promise<number> {
  const [row] = await hosts.rows<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname ~ '^(queries|query_history|waiting_queries|audit_log)'`,
  );
  return row?.bytes ?? 0;
}

interface Stored {
  readonly copy: string;
  readonly parameters: unknown;
  readonly statement_bytes: number;
  readonly record: unknown;
}

/** Returns what the row of a query, its place in the history and its record hold of the statement. */
async function storedOf(queryId: string): Promise<Stored | undefined> {
  const [row] = await hosts.rows<Stored>(
    `select q.sql as copy, h.parameters, q.statement_bytes, r.metadata as record from queries q
     join query_history h using (tenant_id, query_id) join audit_log r on r.id = q.audit_id where q.query_id = $1`,
    [queryId],
  );
  return row;
}

/** A statement of text that PostgreSQL cannot compress. The guard refuses it. */
const refused = (): string => `DROP TABLE items -- ${randomBytes((BYTES / 4) * 3).toString('base64')}`;

const STATEMENT = { sql: 'SELECT $low + 1 AS "Größe"', parameters: { low: 41 } };

describe('a statement', () => {
  it('that is refused is stored once', async () => {
    const before = await storedBytes();
    for (const account of [await reader(), await reader()]) {
      for (let index = 0; index < STATEMENTS; index += 1) {
        const answer = await post(`${hosts.url}/query`, { sql: refused() }, account);
        expect(answer.bytes.toString()).toContain('READ_ONLY');
      }
    }
    expect(((await storedBytes()) - before) / (2 * STATEMENTS * BYTES)).toBeLessThan(RATIO_MAX);
  }, 120_000);

  it('is stored in its audit record alone, with its parameters, and found in the history', async () => {
    const own = await reader();
    const queryId = queryIdOf(await post(`${hosts.url}/query`, STATEMENT, own));
    expect(await storedOf(queryId)).toEqual({
      copy: '',
      parameters: null,
      statement_bytes: Buffer.byteLength(STATEMENT.sql + JSON.stringify({ low: 41 })) + 1, // jsonb has a space after the colon
      record: { ...STATEMENT, format: 'sse', tables_read: [] },
    });
    const entry = { query_id: queryId, kind: 'QUERY', ...STATEMENT };
    expect(await get('/query/history', own)).toMatchObject({ data: [entry] });
    expect(await get(`/query/history?q=${encodeURIComponent('as "größe')}`, own)).toMatchObject({ data: [entry] });
    expect(await get('/query/history?q=smaller', own)).toEqual({ data: [] });
    const other = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    expect(await get('/query/history', other)).toEqual({ data: [] });
  });

  it('that runs is in the lists of its user and of admins', async () => {
    const own = await reader();
    const running = await startQuery(hosts.url, ENDLESS, own);
    expect(await listOf(hosts.url, own)).toMatchObject([{ query_id: running.queryId, sql: ENDLESS }]);
    expect(await get('/admin/queries', admin)).toMatchObject({ data: [{ query_id: running.queryId, sql: ENDLESS }] });
    running.disconnect();
  });

  it('is listed as empty when a superuser has removed its record', async () => {
    const own = await reader();
    const queryId = queryIdOf(await post(`${hosts.url}/query`, STATEMENT, own));
    await hosts.rows('delete from audit_log where query_id = $1', [queryId]);
    const entry = { query_id: queryId, sql: '', parameters: null, state: 'FINISHED', rows: 1 };
    expect(await get('/query/history', own)).toMatchObject({ data: [entry] });
  });
});
