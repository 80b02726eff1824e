import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '@sluice/engine/testing';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { createItem, publishDatamap, verifyLog } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, idtoken, logIn, post, queryIdOf } from '@sluice/testkit/requests';

const SCHEMA = `
  CREATE SCHEMA vega;
  CREATE TABLE vega.flights AS SELECT range AS delay, 'o' || range AS origin FROM range(10);
  CREATE TABLE vega.airports AS SELECT 'o' || range AS origin FROM range(10);
  CREATE TABLE vega."Odd.Name" AS SELECT 1 AS one;
  CREATE VIEW vega.late AS SELECT * FROM demo.vega.flights WHERE delay > 5;
  CREATE SCHEMA other;
  CREATE TABLE other.flights AS SELECT 1 AS one;
  CREATE VIEW other.late_airports AS WITH airports AS (SELECT origin FROM vega.late) SELECT a.origin FROM airports JOIN vega.airports a USING (origin);
  CREATE VIEW other.own AS SELECT * FROM demo.other.flights;
  CHECKPOINT`;

const FLIGHTS = 'demo.vega.flights';
const AIRPORTS = 'demo.vega.airports';
const LATE = 'demo.vega.late';

let folder: string;
let hosts: TestHosts;
let analyst: Credential;
let steward: Credential;
let auditor: Credential;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-reads-'));
  const path = join(folder, 'demo.duckdb');
  await makeDuckDbFile(path, SCHEMA);
  const engine = { DUCKDB_CATALOGS: `demo=${path}`, DUCKDB_DEFAULT_SCHEMA: 'demo.vega' };
  const results = { RESULT_FOLDER: join(folder, 'results'), RESULT_KEY: randomBytes(32).toString('base64') };
  hosts = await startHosts({ ...engine, ...results, RESULT_KEEP_MAX: '1h' }, { engine: 'duckdb', apiSettings: engine });
  analyst = basicOf(hosts.ann);
  const logInWithRole = async (role: string): Promise<Credential> =>
    idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: [role] }))).id_token);
  steward = await logInWithRole('steward');
  auditor = await logInWithRole('auditor');
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const query = (sql: string): Promise<ReceivedResponse> => post(`${hosts.url}/query`, { sql }, analyst);
/** Metadata of the record that is durable before the engine runs. */
const recordOf = async (answer: ReceivedResponse): Promise<Record<string, unknown>> => {
  const rows = await hosts.rows<{ metadata: Record<string, unknown> }>(
    'select metadata from audit_log where query_id = $1 and record_id is null',
    [queryIdOf(answer)],
  );
  return rows[0]?.metadata ?? {};
};

describe('the record of a query on DuckDB names the tables that it reads', () => {
  it.each<readonly [what: string, sql: string, tables: readonly string[] | null]>([
    ['a plain select', 'SELECT count(*) FROM vega.flights', [FLIGHTS]],
    ['an unqualified name', 'SELECT * FROM flights', [FLIGHTS]],
    ['quoted and upper-case names', 'SELECT * FROM "DEMO"."Vega"."FLIGHTS", VEGA.Airports', [AIRPORTS, FLIGHTS]],
    ['a name with a dot', 'SELECT * FROM vega."odd.name"', ['demo.vega."Odd.Name"']],
    ['a join', 'SELECT * FROM flights f LEFT JOIN airports a USING (origin)', [AIRPORTS, FLIGHTS]],
    ['a WITH query named as a table', 'WITH airports AS (SELECT * FROM flights) SELECT * FROM airports', [FLIGHTS]],
    ['subqueries', 'SELECT (SELECT max(delay) FROM flights) WHERE EXISTS (FROM airports)', [AIRPORTS, FLIGHTS]],
    ['a union', 'SELECT origin FROM flights UNION ALL SELECT origin FROM airports', [AIRPORTS, FLIGHTS]],
    ['a view, and the table behind it', 'SELECT * FROM late', [FLIGHTS, LATE]],
    [
      'a view of views of another schema',
      'SELECT * FROM other.late_airports',
      ['demo.other.late_airports', AIRPORTS, FLIGHTS, LATE],
    ],
    ['a view of a table with the name of another', 'SELECT * FROM other.own', ['demo.other.flights', 'demo.other.own']],
    ['a table macro', 'SELECT * FROM histogram(flights, delay)', [FLIGHTS]],
    ['a pivot', 'FROM (PIVOT flights ON origin IN (1) USING sum(delay))', [FLIGHTS]],
    ['EXPLAIN', 'EXPLAIN SELECT * FROM flights', [FLIGHTS]],
    ['EXPLAIN ANALYZE', 'EXPLAIN ANALYZE SELECT * FROM flights', [FLIGHTS]],
    ['DESCRIBE', 'DESCRIBE flights', [FLIGHTS]],
    ['SUMMARIZE', 'SUMMARIZE airports', [AIRPORTS]],
    ['a table function: none', 'SELECT * FROM range(3)', []],
    ['no table', 'SELECT 1', []],
    ['a statement that fails as it runs', 'SELECT CAST(origin AS INTEGER) FROM flights', [FLIGHTS]],
    ['a wrong column: the tables were named', 'SELECT nothing FROM flights', [FLIGHTS]],
    ['a syntax error: not known', 'SELEC * FROM flights', null],
    ['a rejected statement: not known', 'DROP TABLE flights', null],
    ['an unknown table: not known', 'SELECT * FROM flights, nowhere', null],
  ])('%s', async (_what, sql, tables) => {
    expect((await recordOf(await query(sql)))['tables_read']).toEqual(tables);
  });

  it('before it runs, and its outcome does not repeat them', async () => {
    const rows = await hosts.rows<{ metadata: object }>(
      'select metadata from audit_log where query_id = $1 order by record_id nulls first',
      [queryIdOf(await query('SELECT * FROM late'))],
    );
    expect(rows[0]?.metadata).toHaveProperty('tables_read');
    expect(rows[1]?.metadata).not.toHaveProperty('tables_read');
  });

  it('also for downloads of SQL, a datamap and an item with two statements', async () => {
    const file = await post(`${hosts.url}/query/download/csv`, { sql: 'SELECT * FROM late' }, analyst);
    expect(await recordOf(file)).toMatchObject({ tables_read: [FLIGHTS, LATE] });
    const id = await publishDatamap(hosts, hosts.acme, 'SELECT * FROM airports');
    const datamap = await send(`${hosts.url}/datamap/${id}/download/csv`, { headers: analyst });
    expect([datamap.status, await recordOf(datamap)]).toMatchObject([200, { tables_read: [AIRPORTS] }]);
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
    const queries = { one: 'SELECT * FROM late', two: 'SELECT * FROM airports' };
    await createItem(hosts, admin, { id: 'two', queries });
    const item = await send(`${hosts.url}/marketplace/two/download/csv`, { method: 'POST', headers: analyst });
    expect([item.status, await recordOf(item)]).toMatchObject([200, { tables_read: [AIRPORTS, FLIGHTS, LATE] }]);
  });

  it('also when the SQL of a datamap is described, or cannot be', async () => {
    const described = async (sql: string) => {
      await post(`${hosts.api.url}/datamap`, { name: sql, sql }, steward);
      const [row] = await hosts.rows<{ metadata: Record<string, unknown> }>(
        `select metadata from audit_log where action = 'DESCRIBE_QUERY' and target = $1`,
        [sql],
      );
      return row?.metadata['tables_read'];
    };
    expect(await described('SELECT * FROM late')).toEqual([FLIGHTS, LATE]);
    expect(await described('SELECT * FROM flights, nowhere')).toBeNull();
    expect(await described('SELEC 1')).toBeNull();
  });
});

interface Page {
  readonly total: number;
  readonly data: readonly {
    readonly action: string;
    readonly metadata: Record<string, unknown>;
    readonly user: string;
  }[];
  readonly next_page_token?: string;
  readonly reads_since?: number | null;
}

const search = async (reads: unknown, more: object = {}, options: object = {}): Promise<Page> => {
  const body = { ...more, advance_options: { reads, ...options } };
  const answer = await post(`${hosts.api.url}/audits/logs/search`, body, auditor);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Page;
};
const sqlOf = ({ data }: Page) => data.map(({ metadata }) => metadata['sql']);

describe('a search by a table that was read', () => {
  /** A range that holds the records of this block only. */
  let range: { readonly start: number; readonly end: number };
  const STATEMENTS = ['SELECT 1 FROM flights', 'SELECT 2 FROM late', 'SELECT 3 FROM airports', 'SELECT 4'];
  beforeAll(async () => {
    const start = Date.now();
    for (const sql of STATEMENTS) await query(sql);
    range = { start, end: Date.now() + 1 };
  });

  it.each([
    [FLIGHTS, [1, 0]],
    ['DEMO.Vega."FLIGHTS"', [1, 0]],
    [LATE, [1]],
    [AIRPORTS, [2]],
    ['demo.vega.', [2, 1, 0]],
    ['demo.vega.*', [2, 1, 0]],
    ['Demo.', [2, 1, 0]],
    ['demo.vega.fl*', [1, 0]],
    ['demo.vega.l*', [1]],
    ['demo.v*', [2, 1, 0]],
    ['demo.vega.nothing', []],
    ['demo.vega.x*', []],
    ['demo.veg.', []],
    ['demo.vega.flight', []],
  ])('%s finds the statements %j, with their number, newest first, whether sealed or not', async (reads, expected) => {
    const statements = expected.map((index) => STATEMENTS[index]);
    const page = await search(reads, range);
    expect([page.total, sqlOf(page)]).toEqual([expected.length, statements]);
    const oldestFirst = await search(reads, { ...range, sort_value: 'asc' });
    expect(sqlOf(oldestFirst)).toEqual(statements.toReversed());
  });

  it('combines with the other filters', async () => {
    const totalOf = async (reads: string, options: object) => (await search(reads, range, options)).total;
    expect(await totalOf(FLIGHTS, { user_name: hosts.ann.email })).toBe(2);
    expect(await totalOf('demo.v*', { user_name: hosts.ann.email, action: 'RUN_QUERY' })).toBe(3);
    expect(await totalOf(FLIGHTS, { user_name: 'nobody@example.com' })).toBe(0);
    expect(await totalOf(FLIGHTS, { action: 'DOWNLOAD_QUERY' })).toBe(0);
  });

  it.each([FLIGHTS, 'demo.', 'demo.v*'])('pages through the matches of %s once each', async (reads) => {
    const found: unknown[] = [];
    let page = await search(reads, { ...range, size: 1 });
    const { total } = page;
    for (;;) {
      found.push(...sqlOf(page));
      expect(page.total).toBe(total);
      if (page.next_page_token === undefined) break;
      const url = `${hosts.api.url}/audits/logs/search?page_token=${page.next_page_token}`;
      page = (await send(url, { headers: auditor })).body as Page;
    }
    expect([found.length, new Set(found).size]).toEqual([total, total]);
  });

  it('says since when records name tables, and an old record of the same statement is not found', async () => {
    const [first] = await hosts.rows<{ ms: number }>(
      `select (extract(epoch from min(occurred)) * 1000)::float8 as ms from audit_log where metadata -> 'tables_read' is not null`,
    );
    const page = await search(FLIGHTS, { size: 1 });
    expect(page.reads_since).toBe(Math.floor(first?.ms ?? 0));
    const plain = await post(`${hosts.api.url}/audits/logs/search`, { size: 1 }, auditor);
    expect(plain.body).not.toHaveProperty('reads_since');
  });

  it('counts the same after its records are sealed as before', async () => {
    const unsealed = async () =>
      (
        await hosts.rows(
          'select 1 from audit_log l where not exists (select from audit_chain c where c.record_id = l.id)',
        )
      ).length;
    const before = (await search(FLIGHTS)).total;
    await until(async () => ((await unsealed()) === 0 ? true : undefined), { what: 'the seals of all records' });
    expect((await search(FLIGHTS)).total).toBe(before);
    expect((await search(FLIGHTS, range)).total).toBe(2);
    const [counted] = await hosts.rows<{ n: number }>(
      'select sum(records)::int as n from audit_read_counts where name = $1',
      [FLIGHTS],
    );
    expect(counted?.n).toBe(before);
    const [names] = await hosts.rows<{ n: number }>(
      `select count(*)::int as n from audit_log where metadata -> 'tables_read' @> $1`,
      [JSON.stringify([FLIGHTS])],
    );
    expect(names?.n).toBe(before);
  });

  it('does not find the records of another tenant', async () => {
    const other = await hosts.build.user(hosts.globex, { roles: ['auditor'] });
    const { id_token } = await logIn(hosts, other, 'globex');
    const body = { advance_options: { reads: 'demo.' } };
    const answer = await post(`${hosts.api.url}/audits/logs/search`, body, idtoken(id_token));
    expect(answer.body).toEqual({ total: 0, data: [], reads_since: null });
  });

  it('exports the records with their outcomes, and only those', async () => {
    const body = { ...range, advance_options: { reads: LATE } };
    const { text } = await post(`${hosts.api.url}/audits/logs/export`, body, auditor);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { action?: string; record_id?: string | null });
    expect(lines.slice(0, -1).map(({ action, record_id }) => [action, record_id === null])).toEqual([
      ['RUN_QUERY', true],
      ['RUN_QUERY', false],
    ]);
  });

  it('streams the records of the table, and continues behind the others', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${hosts.api.url}/audits/logs/stream?after=0&reads=${LATE}`, {
      headers: auditor,
      signal: leaving.signal,
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await query('SELECT 6 FROM airports');
    await query('SELECT 5 FROM late');
    await until(() => (text.includes('SELECT 5 FROM late') ? true : undefined), { what: 'the record of the stream' });
    leaving.abort();
    await reading;
    expect(text).toContain('SELECT 2 FROM late');
    expect(text).not.toMatch(/SELECT [136] FROM/);
  });

  it('rejects 10,000 names, a name that is not full, and a prefix of more than 200 tables', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `demo.vega.t${index}`);
    for (const [reads, message] of [
      [names, 'must not hold more than 5000 values'],
      [names.slice(0, 4_000), 'reads must be a string: the name of one table'],
      [names.join(','), 'reads must have at most 640 characters'],
      ['flights', 'reads must be catalog.schema.table'],
      ['', 'reads must be catalog.schema.table'],
    ] as const) {
      const answer = await post(`${hosts.api.url}/audits/logs/search`, { advance_options: { reads } }, auditor);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
      expect(answer.body.message).toContain(message);
    }
    await hosts.rows(
      `insert into audit_read_names (tenant_id, name, month, first_read)
       select $1, 'wide.s.t' || n, date_trunc('month', now()), now() from generate_series(1, 201) n`,
      [hosts.acme.id],
    );
    const wide = await post(
      `${hosts.api.url}/audits/logs/search`,
      { advance_options: { reads: 'wide.s.t*' } },
      auditor,
    );
    expect([wide.status, wide.body.message]).toEqual([400, expect.stringContaining('more than 200 tables')]);
    expect((await search('wide.s.t20*')).total).toBe(0);
  });
});

/** Keeps a result, which another user then reads in each way, and the account that ran the statement by `reuse`. */
async function viewKeptResult(sql: string): Promise<void> {
  const id = queryIdOf(await post(`${hosts.url}/query`, { sql, keep: '1h' }, analyst));
  const user = await hosts.build.user(hosts.acme, { roles: ['analyst'] });
  const body = JSON.stringify({ shares: [{ kind: 'user', name: user.email }] });
  const headers = { 'content-type': 'application/json', ...analyst };
  await send(`${hosts.url}/query/${id}/share`, { method: 'PUT', headers, body });
  for (const path of ['/rows', '/events?after=1', '/download/csv'])
    expect((await send(`${hosts.url}/query/${id}${path}`, { headers: basicOf(user) })).status).toBe(200);
  expect((await post(`${hosts.url}/query`, { sql, reuse: '5m' }, analyst)).status).toBe(200);
}

it('every way to read a table is found by its name, its schema and its catalog, and a view by its name too', async () => {
  const start = Date.now();
  const ways = [
    'SELECT count(*) FROM demo.vega.flights',
    'SELECT * FROM airports a LEFT JOIN flights f USING (origin)',
    'SELECT * FROM vega.late',
    'WITH airports AS (SELECT * FROM flights) SELECT count(*) FROM airports',
    'SELECT 1 FROM airports WHERE origin IN (SELECT origin FROM flights)',
    'SELECT origin FROM airports UNION SELECT origin FROM flights',
    'SELECT * FROM "DEMO"."Vega"."FLIGHTS"',
    'EXPLAIN SELECT * FROM flights',
  ];
  for (const sql of ways) await query(sql);
  await post(`${hosts.url}/query/download/csv`, { sql: 'SELECT * FROM flights' }, analyst);
  await post(`${hosts.api.url}/datamap`, { name: 'ways', sql: 'SELECT * FROM flights' }, steward);
  const id = await publishDatamap(hosts, hosts.acme, 'SELECT * FROM flights');
  await send(`${hosts.url}/datamap/${id}/download/csv`, { headers: analyst });
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  await createItem(hosts, admin, { id: 'ways', queries: { one: 'SELECT * FROM late' } });
  await send(`${hosts.url}/marketplace/ways/download/csv`, { method: 'POST', headers: analyst });
  await viewKeptResult('SELECT * FROM flights');
  const range = { start, end: Date.now() + 1 };
  const actions = [
    'DESCRIBE_QUERY',
    'DOWNLOAD_DATAMAP',
    'DOWNLOAD_MARKETPLACE',
    'DOWNLOAD_QUERY',
    'DOWNLOAD_RESULT',
    ...['READ_RESULT', 'READ_RESULT', 'READ_RESULT', 'RUN_QUERY'],
    ...ways.map(() => 'RUN_QUERY'),
  ];
  for (const reads of [FLIGHTS, 'demo.vega.FLIGHTS', 'demo.vega.', 'demo.vega.*', 'demo.vega.fl*', 'demo.']) {
    const { total, data } = await search(reads, range);
    expect([reads, total, data.map(({ action }) => action).toSorted()]).toEqual([reads, actions.length, actions]);
  }
  expect((await search(LATE, range)).data.map(({ action }) => action).toSorted()).toEqual([
    'DOWNLOAD_MARKETPLACE',
    'RUN_QUERY',
  ]);
});

describe('the verifier', () => {
  it('accepts the counts after a forged entry of a record was set aside and the record sealed', async () => {
    await hosts.rows(
      `with record as (
        insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
        values ($1, gen_random_uuid(), now(), 'eve', 'RUN_QUERY', 'forged', '{"tables_read": ["demo.vega.flights"]}') returning *
      ) insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
        select tenant_id, 1000000, occurred, id, sha256('') from record`,
      [hosts.acme.id],
    );
    const isSetAside = async () => (await hosts.rows('select from audit_set_aside'))[0];
    await until(isSetAside, { what: 'the removal of the forged entry' });
    const isSealed = `select from audit_chain c join audit_log l on l.id = c.record_id where l.target = 'forged'`;
    await until(async () => (await hosts.rows(isSealed))[0], { what: 'the seal of the record' });
    expect(await until(() => verifyLog(hosts).catch(() => undefined), { what: 'a verified log' })).toContain(
      'are verified',
    );
  });

  it('finds a surplus entry of the index, with which a search returns a record that does not read the table', async () => {
    await until(() => verifyLog(hosts).catch(() => undefined), { what: 'a verified log' });
    const isFound = async () => sqlOf(await search(AIRPORTS, { size: 3000 })).includes('SELECT 4');
    expect(await isFound()).toBe(false);
    const entryOf = (sql: string) =>
      `select tenant_id, '${AIRPORTS}' as name, occurred, id from audit_log where metadata ->> 'sql' = '${sql}' and record_id is null limit 1`;
    await hosts.rows(`insert into audit_reads (tenant_id, name, occurred, record_id) ${entryOf('SELECT 4')}`);
    expect(await isFound()).toBe(true);
    await expect(verifyLog(hosts)).rejects.toThrow(`The count of surplus entries of table "${AIRPORTS}"`);
    // An entry that is missing in the same hour does not make up for it.
    const ofLast = `(tenant_id, name, occurred, record_id) in (${entryOf('SELECT 3 FROM airports')})`;
    await hosts.rows(`create table taken as select * from audit_reads where ${ofLast}`);
    await hosts.rows(`delete from audit_reads where ${ofLast}`);
    await expect(verifyLog(hosts)).rejects.toThrow(`entries of table "${AIRPORTS}"`);
    await hosts.rows('insert into audit_reads select * from taken');
    await hosts.rows(
      `delete from audit_reads where (tenant_id, name, occurred, record_id) in (${entryOf('SELECT 4')})`,
    );
    expect(await verifyLog(hosts)).toContain('are verified');
  });

  it('accepts the log, and finds a changed table, a missing entry of the index and a changed count', async () => {
    await until(() => verifyLog(hosts).catch(() => undefined), { what: 'a verified log' });
    const changed = async (change: string, undo: string): Promise<string> => {
      await hosts.rows(change);
      const said = await verifyLog(hosts).then(
        () => 'accepted',
        ({ message }: Error) => message,
      );
      await hosts.rows(undo);
      return said;
    };
    expect(
      await changed(
        `update audit_read_counts set records = records + 1 where name = '${LATE}'`,
        `update audit_read_counts set records = records - 1 where name = '${LATE}'`,
      ),
    ).toContain(`The count of table "${LATE}"`);
    await hosts.rows(`create table kept as select * from audit_reads where name = '${LATE}'`);
    expect(
      await changed(`delete from audit_reads where name = '${LATE}'`, 'insert into audit_reads select * from kept'),
    ).toContain(`The count of entries of table "${LATE}"`);
    expect(
      await changed(
        `delete from audit_read_names where name = '${LATE}'`,
        `insert into audit_read_names select tenant_id, name, date_trunc('month', occurred at time zone 'utc')::date, min(occurred) from audit_reads where name = '${LATE}' group by 1, 2, 3`,
      ),
    ).toContain(`The count of listed names of table "${LATE}"`);
    expect(
      await changed(
        `update audit_log set metadata = jsonb_set(metadata, '{tables_read}', '["demo.vega.other"]') where metadata ->> 'sql' = 'SELECT 2 FROM late'`,
        `update audit_log set metadata = jsonb_set(metadata, '{tables_read}', '["${FLIGHTS}", "${LATE}"]') where metadata ->> 'sql' = 'SELECT 2 FROM late'`,
      ),
    ).toMatch(/altered/);
    expect(await verifyLog(hosts)).toContain('are verified');
  });
});
