import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOnTrino } from '@sluice/engine/testing';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { createItem, publishDatamap, verifyLog } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, idtoken, logIn, post, queryIdOf } from '@sluice/testkit/requests';

// A Trino of `deploy/components/trino.mjs start` is found without the variable.
// biome-ignore lint/style/noProcessEnv: the address of a test server is configured as a service's is
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const SCHEMA = 'memory.sluice_who';
const NATION = 'tpch.tiny.nation';
const REGION = 'tpch.tiny.region';
const ORDERS = `${SCHEMA}."odd.orders"`;
const IDS = `${SCHEMA}.ids`;
const LONG_MS = 180_000;

let folder: string;
let hosts: TestHosts;
let analyst: Credential;
let steward: Credential;
let auditor: Credential;
beforeAll(async () => {
  await runOnTrino(baseUrl, `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await runOnTrino(baseUrl, `CREATE TABLE IF NOT EXISTS ${ORDERS} (id bigint)`);
  await runOnTrino(baseUrl, `CREATE OR REPLACE VIEW ${IDS} AS SELECT id FROM ${ORDERS}`);
  const engine = { ENGINE_URL: baseUrl, ENGINE_CATALOGS: 'memory,tpch' };
  folder = await mkdtemp(join(tmpdir(), 'sluice-reads-'));
  const results = { RESULT_FOLDER: folder, RESULT_KEY: randomBytes(32).toString('base64'), RESULT_KEEP_MAX: '1h' };
  hosts = await startHosts(results, { engine: 'trino', apiSettings: engine });
  analyst = basicOf(hosts.ann);
  const logInWithRole = async (role: string): Promise<Credential> =>
    idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: [role] }))).id_token);
  steward = await logInWithRole('steward');
  auditor = await logInWithRole('auditor');
}, LONG_MS);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  await runOnTrino(baseUrl, `DROP VIEW ${IDS}`);
  await runOnTrino(baseUrl, `DROP TABLE ${ORDERS}`);
  await runOnTrino(baseUrl, `DROP SCHEMA ${SCHEMA}`);
}, LONG_MS);

const query = (sql: string): Promise<ReceivedResponse> => post(`${hosts.url}/query`, { sql }, analyst);

/** Metadata of the record and of its outcome. */
const rowsOf = async (answer: ReceivedResponse): Promise<readonly Record<string, unknown>[]> => {
  const rows = await hosts.rows<{ metadata: Record<string, unknown> }>(
    'select metadata from audit_log where query_id = $1 order by record_id nulls first',
    [queryIdOf(answer)],
  );
  return rows.map(({ metadata }) => metadata);
};
const tablesOf = async (answer: ReceivedResponse): Promise<unknown> => {
  const [record, outcome] = await rowsOf(answer);
  expect(record).not.toHaveProperty('tables_read');
  return outcome?.['tables_read'];
};

describe('the outcome of a query on Trino names the tables that it reads', () => {
  it.each<readonly [what: string, sql: string, tables: readonly string[] | null]>([
    ['a plain select', 'SELECT count(*) FROM tpch.tiny.nation', [NATION]],
    ['quoted and upper-case names', 'SELECT * FROM "TPCH"."Tiny"."NATION"', [NATION]],
    ['a join', 'SELECT * FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey', [NATION, REGION]],
    ['a WITH query named as a table', 'WITH region AS (SELECT * FROM tpch.tiny.nation) SELECT * FROM region', [NATION]],
    [
      'subqueries',
      'SELECT (SELECT max(n_nationkey) FROM tpch.tiny.nation) WHERE EXISTS (SELECT 1 FROM tpch.tiny.region)',
      [NATION, REGION],
    ],
    ['a union', 'SELECT n_name FROM tpch.tiny.nation UNION SELECT r_name FROM tpch.tiny.region', [NATION, REGION]],
    ['a view, and the table behind it', `SELECT * FROM ${IDS}`, [ORDERS, IDS]],
    ['a name with a dot', `SELECT * FROM ${ORDERS}`, [ORDERS]],
    ['a table that no row is read from', 'SELECT * FROM tpch.tiny.nation WHERE false', [NATION]],
    ['EXPLAIN ANALYZE', 'EXPLAIN ANALYZE SELECT * FROM tpch.tiny.nation', [NATION]],
    ['EXPLAIN', 'EXPLAIN SELECT * FROM tpch.tiny.nation', [NATION]],
    ['EXPLAIN of a view, and the table behind it', `EXPLAIN (TYPE LOGICAL) SELECT * FROM ${IDS} -- all`, [ORDERS, IDS]],
    ['EXPLAIN of a table that no row is read from', 'EXPLAIN SELECT * FROM tpch.tiny.nation WHERE false', [NATION]],
    ['EXPLAIN (TYPE IO)', 'EXPLAIN (TYPE IO, FORMAT JSON) TABLE tpch.tiny.region', [REGION]],
    ['EXPLAIN (TYPE VALIDATE)', 'EXPLAIN (TYPE VALIDATE) TABLE tpch.tiny.region', [REGION]],
    ['EXPLAIN without a table', 'EXPLAIN SELECT 1', []],
    ['EXPLAIN of an unknown table: not known', 'EXPLAIN SELECT * FROM tpch.tiny.nowhere', null],
    ['SHOW STATS', 'SHOW STATS FOR tpch.tiny.nation', [NATION]],
    ['SHOW STATS of a query', 'SHOW STATS FOR (SELECT * FROM tpch.tiny.nation WHERE n_nationkey > 3)', [NATION]],
    ['SHOW CREATE TABLE', `SHOW CREATE TABLE ${ORDERS}`, [ORDERS]],
    ['SHOW CREATE VIEW', `SHOW CREATE VIEW ${IDS}`, [IDS]],
    ['SHOW STATS of an unknown table: not known', 'SHOW STATS FOR tpch.tiny.nowhere', null],
    ['a table function: none', 'SELECT * FROM TABLE(sequence(1, 3))', []],
    ['no table', 'SELECT 1', []],
    ['a statement that fails as it runs', 'SELECT 1 / (n_nationkey - n_nationkey) FROM tpch.tiny.nation', [NATION]],
    ['a syntax error: not known', 'SELEC 1', null],
    ['an unknown table: not known', 'SELECT * FROM tpch.tiny.nowhere', null],
    ['a rejected statement: not known', `DROP TABLE ${ORDERS}`, null],
  ])(
    '%s',
    async (_what, sql, tables) => {
      expect(await tablesOf(await query(sql))).toEqual(tables);
    },
    LONG_MS,
  );

  it.each(['DESCRIBE tpch.tiny.nation', 'SHOW COLUMNS FROM "TPCH".Tiny.nation'])(
    '%s, beside the table that Trino looks its columns up in',
    async (sql) => {
      expect(await tablesOf(await query(sql))).toContain(NATION);
    },
    LONG_MS,
  );

  it(
    'an explained statement with parameters',
    async () => {
      const sql = 'EXPLAIN SELECT * FROM tpch.tiny.nation WHERE n_nationkey = $key';
      const parameters = { key: 3 };
      expect(await tablesOf(await post(`${hosts.url}/query`, { sql, parameters }, analyst))).toEqual([NATION]);
    },
    LONG_MS,
  );

  it(
    'also for downloads, and for each statement of an item',
    async () => {
      const file = await post(`${hosts.url}/query/download/csv`, { sql: `SELECT * FROM ${IDS}` }, analyst);
      expect(await tablesOf(file)).toEqual([ORDERS, IDS]);
      const id = await publishDatamap(hosts, hosts.acme, 'SELECT * FROM tpch.tiny.region');
      expect(await tablesOf(await send(`${hosts.url}/datamap/${id}/download/csv`, { headers: analyst }))).toEqual([
        REGION,
      ]);
      const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
      const queries = { one: 'SELECT * FROM tpch.tiny.region', two: `SELECT * FROM ${IDS}` };
      await createItem(hosts, admin, { id: 'two', queries });
      const item = await send(`${hosts.url}/marketplace/two/download/csv`, { method: 'POST', headers: analyst });
      expect([item.status, await tablesOf(item)]).toEqual([200, [ORDERS, IDS, REGION]]);
    },
    LONG_MS,
  );
});

const search = async (advance_options: object, more: object = {}): Promise<ReceivedResponse['body']> =>
  (await post(`${hosts.api.url}/audits/logs/search`, { ...more, advance_options }, auditor)).body;

it(
  'a described statement gets its tables as an outcome, which the search shows and finds',
  async () => {
    const describeSql = async (sql: string) => {
      await post(`${hosts.api.url}/datamap`, { name: sql, sql }, steward);
      const { data } = await search({ action: 'DESCRIBE_QUERY', target: sql });
      return data[0]?.metadata.tables_read;
    };
    const sql = 'SELECT r_name FROM tpch.tiny.region';
    expect(await describeSql(sql)).toEqual([REGION]);
    expect(await describeSql('SELECT nothing FROM tpch.tiny.region')).toBeNull();
    const found = await search({ reads: REGION, action: 'DESCRIBE_QUERY' });
    expect(found.data.map(({ target }: { target: string }) => target)).toEqual([sql]);
    expect(await describeSql(`SELECT * FROM ${IDS}`)).toEqual([ORDERS, IDS]);
    expect(await describeSql('SELECT * FROM tpch.tiny.nation WHERE false')).toEqual([NATION]);
    expect(await describeSql('EXPLAIN SELECT * FROM tpch.tiny.nation')).toEqual([NATION]);
  },
  LONG_MS,
);

it(
  'every way to read a table is found by its name, its schema and its catalog, and a view by its name too',
  async () => {
    const start = Date.now();
    const ways = [
      `SELECT count(*) FROM ${ORDERS}`,
      `SELECT * FROM tpch.tiny.region JOIN ${ORDERS} ON id = r_regionkey`,
      `SELECT * FROM ${IDS}`,
      `WITH region AS (SELECT * FROM ${ORDERS}) SELECT count(*) FROM region`,
      `SELECT 1 FROM tpch.tiny.region WHERE r_regionkey IN (SELECT id FROM ${ORDERS})`,
      `SELECT r_regionkey FROM tpch.tiny.region UNION SELECT id FROM ${ORDERS}`,
      'SELECT * FROM "MEMORY"."Sluice_Who"."ODD.Orders"',
      `EXPLAIN SELECT * FROM ${ORDERS}`,
    ];
    for (const sql of ways) expect((await query(sql)).text).toContain('"complete"');
    await post(`${hosts.url}/query/download/csv`, { sql: `SELECT * FROM ${ORDERS}` }, analyst);
    await post(`${hosts.api.url}/datamap`, { name: 'ways', sql: `SELECT * FROM ${ORDERS}` }, steward);
    const id = await publishDatamap(hosts, hosts.acme, `SELECT * FROM ${ORDERS}`);
    await send(`${hosts.url}/datamap/${id}/download/csv`, { headers: analyst });
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
    await createItem(hosts, admin, { id: 'ways', queries: { one: `SELECT * FROM ${IDS}` } });
    await send(`${hosts.url}/marketplace/ways/download/csv`, { method: 'POST', headers: analyst });
    const kept = queryIdOf(await post(`${hosts.url}/query`, { sql: `SELECT * FROM ${ORDERS}`, keep: '1h' }, analyst));
    for (const path of ['/rows', '/download/csv'])
      expect((await send(`${hosts.url}/query/${kept}${path}`, { headers: analyst })).status).toBe(200);
    const range = { start, end: Date.now() + 1 };
    const actionsOf = async (reads: string): Promise<readonly string[]> =>
      (await search({ reads }, range)).data.map(({ action }: { action: string }) => action).toSorted();
    const downloads = ['DOWNLOAD_DATAMAP', 'DOWNLOAD_MARKETPLACE', 'DOWNLOAD_QUERY', 'DOWNLOAD_RESULT'];
    const actions = ['DESCRIBE_QUERY', ...downloads, 'READ_RESULT', 'RUN_QUERY', ...ways.map(() => 'RUN_QUERY')];
    for (const reads of [ORDERS, `${SCHEMA}.`, `${SCHEMA}.*`, `${SCHEMA}."odd*`, 'memory.'])
      expect([reads, await actionsOf(reads)]).toEqual([reads, actions]);
    expect(await actionsOf(IDS)).toEqual(['DOWNLOAD_MARKETPLACE', 'RUN_QUERY']);
  },
  LONG_MS,
);

it(
  'a search by a table finds the record once its outcome is written, and counts it once, sealed or not',
  async () => {
    const start = Date.now();
    await query(`SELECT * FROM ${IDS}`);
    await query('SELECT r_name FROM tpch.tiny.region');
    const range = { start, end: Date.now() + 1 };
    for (const reads of [IDS, ORDERS, `${SCHEMA}.`, 'memory.sluice_w*']) {
      const { total, data } = await search({ reads }, range);
      expect([reads, total, data.length]).toEqual([reads, 1, 1]);
      expect(data[0].metadata).toMatchObject({ sql: `SELECT * FROM ${IDS}`, tables_read: [ORDERS, IDS] });
    }
    const total = async () => (await search({ reads: ORDERS })).total;
    const before = await total();
    const unsealed = 'select 1 from audit_log l where not exists (select from audit_chain c where c.record_id = l.id)';
    await until(async () => ((await hosts.rows(unsealed)).length === 0 ? true : undefined), {
      what: 'the seals of all records',
    });
    expect(await total()).toBe(before);
    const exported = await post(
      `${hosts.api.url}/audits/logs/export`,
      { ...range, advance_options: { reads: IDS } },
      auditor,
    );
    expect(exported.text.trimEnd().split('\n')).toHaveLength(3); // record, outcome, signed last line
    expect(await verifyLog(hosts)).toContain('are verified');
  },
  LONG_MS,
);
