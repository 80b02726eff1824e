import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRINO_SQL } from '@sluice/engine/testing';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { declareParameters, findTrinoQuery, marked, publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  eventsOf,
  post,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';
import { TRINO_STATEMENTS } from '@sluice/testkit/statements';

const TENANTS = { globex: { catalogs: ['tpcds'], schema: 'tiny' }, empty: { catalogs: [] } };

let hosts: TestHosts;
let ann: Credential;
let gus: Credential;
beforeAll(async () => {
  hosts = await startHosts(
    { SSE_HEARTBEAT_INTERVAL: '100ms', ENGINE_TENANTS: JSON.stringify(TENANTS) },
    { engine: 'trino' },
  );
  ann = basicOf(hosts.ann);
  gus = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const query = (sql: string, credential = ann, more: object = {}): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql, ...more }, credential);
const lastOf = async (answer: ReceivedResponse): Promise<Record<string, unknown>> =>
  (await eventsOf(answer)).at(-1) ?? {};
const codeOf = async (sql: string, credential = ann): Promise<unknown> =>
  (await lastOf(await query(sql, credential)))['code'];

describe('a query on Trino', () => {
  it('returns its rows and receipt and writes its audit records', async () => {
    const answer = await query('SELECT n_nationkey, n_name FROM tpch.tiny.nation WHERE n_nationkey < 2 ORDER BY 1');
    expect(answer.text.replaceAll(': keep-alive\n\n', '')).toBe(
      [
        'data: {"type":"metadata","columns":[{"name":"n_nationkey","type":"bigint"},{"name":"n_name","type":"varchar(25)"}]}',
        'data: {"type":"row","data":{"n_nationkey":0,"n_name":"ALGERIA"}}',
        'data: {"type":"row","data":{"n_nationkey":1,"n_name":"ARGENTINA"}}',
        'data: {"type":"complete"}',
        '',
      ].join('\n\n'),
    );
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      rows: 2,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
    });
    const records = await hosts.rows<{ action: string; metadata: object }>(
      'select action, metadata from audit_log where query_id = $1 order by record_id nulls first',
      [queryIdOf(answer)],
    );
    expect(records).toMatchObject([{ action: 'RUN_QUERY' }, { metadata: { state: 'FINISHED', rows: 2 } }]);
  });

  it('returns every type of Trino in all formats', async () => {
    const { sql, types } = TRINO_SQL.everyType;
    const [metadata] = await eventsOf(await query(sql));
    expect(metadata?.['columns']).toEqual(types.map((type) => ({ name: expect.any(String), type })));
    const json = await post(`${hosts.url}/query/download/json`, { sql }, ann);
    expect(json.text).toContain('"2026-03-29 12:30:00.123456789012"');
    expect(json.body.data).toHaveLength(1);
    const csv = await post(`${hosts.url}/query/download/csv`, { sql }, ann);
    expect(csv.text).toContain('99999999999999999999999999999999999999');
    expect([json.isWhole, csv.isWhole]).toEqual([true, true]);
  });

  it('runs as the user or client of the tenant, and no session setting reaches the next query', async () => {
    const client = await hosts.build.client(hosts.acme);
    const ofClient = bearer(await clientToken(hosts, client));
    const who = async (credential: Credential) => {
      const statement = marked('SELECT current_user AS name');
      const { text } = await query(statement.sql, credential);
      return [/"name":"([^"]+)"\}/.exec(text)?.[1], (await findTrinoQuery(statement))?.user];
    };
    expect(await who(ann)).toEqual([`acme/${hosts.ann.email}`, `acme/${hosts.ann.email}`]);
    expect(await who(ofClient)).toEqual([`acme/${client.clientId}`, `acme/${client.clientId}`]);
    for (const sql of [
      "SET SESSION query_max_run_time = '1h'",
      'USE tpch.tiny',
      'SET ROLE ALL',
      'SET SESSION AUTHORIZATION bob',
    ]) {
      expect([sql, await codeOf(sql)]).toEqual([sql, 'READ_ONLY']);
    }
    expect(await who(ann)).toEqual([`acme/${hosts.ann.email}`, `acme/${hosts.ann.email}`]);
  });

  it('reports splits with progress, and sends heartbeats without it', async () => {
    const shown = await query(TRINO_STATEMENTS.silent, ann, { progress: true });
    const events = await eventsOf(shown);
    // Progress may follow the row too, if the row comes a second after the last progress.
    const beforeRow = events.slice(
      0,
      events.findIndex(({ type }) => type === 'row'),
    );
    const progress = beforeRow.filter(({ type }) => type === 'progress');
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.at(-1)).toEqual({
      type: 'progress',
      state: 'RUNNING',
      rows: 0,
      bytes: expect.any(Number),
      splits_done: expect.any(Number),
      splits_total: expect.any(Number),
    });
    expect(progress.at(-1)?.['splits_total']).toBeGreaterThan(0);
    const hidden = await query(TRINO_STATEMENTS.silent);
    expect(hidden.text).toContain(': keep-alive\n\n');
    expect(hidden.text).not.toContain('"type":"progress"');
  });
});

describe('a link to a datamap with parameters on Trino', () => {
  it('binds each value as its declared type', async () => {
    const id = await publishDatamap(hosts, hosts.acme, 'SELECT $day AS day, $note AS note, $miles AS miles');
    await declareParameters(hosts, id, [
      { name: 'day', type: 'date' },
      { name: 'note', type: 'varchar' },
      { name: 'miles', type: 'decimal(10,2)', default: '1.50' },
    ]);
    const note = encodeURIComponent("it's $day; --");
    const answer = await send(`${hosts.url}/datamap/${id}/download/csv?p.day=2010-01-31&p.note=${note}`, {
      headers: { ...ann },
    });
    expect([answer.status, answer.text]).toEqual([200, "day,note,miles\n2010-01-31,it's $day; --,1.50\n"]);
  });
});

describe('a list on Trino', () => {
  const LIST = '[9007199254740993, null, 1]';

  it('has every digit of its items, and the types of its columns are those of the engine', async () => {
    const body = `{"sql": "SELECT $ids AS ids, $prices AS prices", "parameters": {"ids": ${LIST}, "prices": [5, 1.10]}}`;
    const answer = await post(`${hosts.url}/query`, body, ann);
    expect(answer.text).toContain('{"ids":[9007199254740993,null,1],"prices":[5.00,1.10]}');
    const [metadata] = await eventsOf(answer);
    expect(metadata).toMatchObject({ columns: [{ type: 'array(bigint)' }, { type: 'array(decimal(3,2))' }] });
  });

  it('filters a table, also with 10,000 items of the longest types', async () => {
    const sql = `SELECT n_name FROM tpch.tiny.nation
      WHERE n_nationkey IN (SELECT id FROM unnest($ids) AS t(id)) AND contains($ids, n_nationkey) ORDER BY 1`;
    const found = await post(`${hosts.url}/query/download/csv`, { sql, parameters: { ids: [1, 0, 99] } }, ann);
    expect(found.text).toBe('n_name\nALGERIA\nARGENTINA\n');
    const ids = Array.from(
      { length: 5_000 },
      (_, index) => `2010-01-31 10:00:00.${String(index).padStart(6, '0')} +02:00`,
    );
    const parameters = { ids: { type: 'array(timestamp(6) with time zone)', value: [...ids, ...ids.map(() => null)] } };
    const counted = await post(
      `${hosts.url}/query/download/csv`,
      { sql: 'SELECT cardinality($ids) AS n', parameters },
      ann,
    );
    expect([counted.status, counted.text]).toEqual([200, 'n\n10000\n']);
  });

  it('is bound from a link that repeats its name', async () => {
    const id = await publishDatamap(hosts, hosts.acme, 'SELECT $codes AS codes');
    await declareParameters(hosts, id, [{ name: 'codes', type: 'array(varchar)' }]);
    const answer = await send(`${hosts.url}/datamap/${id}/download/csv?p.codes=SFO&p.codes=it%27s`, { headers: ann });
    expect([answer.status, answer.text]).toEqual([200, 'codes\n"[""SFO"",""it\'s""]"\n']);
  });
});

describe('a tenant on Trino', () => {
  it('can use only its own catalogs and schema', async () => {
    expect(await lastOf(await query('SELECT count(*) AS n FROM call_center', gus))).toEqual({ type: 'complete' });
    expect(await codeOf('SELECT * FROM tpch.tiny.nation', gus)).toBe('PERMISSION_DENIED');
    expect(await codeOf('SELECT * FROM tpcds.tiny.call_center')).toBe('PERMISSION_DENIED');
    expect(await codeOf('SELECT * FROM tpch.tiny.nation')).toBeUndefined();
  });

  it('without a catalog gets an error that is recorded', async () => {
    const user = await hosts.build.user(await hosts.build.tenant({ name: 'empty' }));
    const answer = await query('SELECT 1', { ...basicOf(user), host: 'empty-stream.localhost' });
    expect(await lastOf(answer)).toMatchObject({
      code: 'PERMISSION_DENIED',
      error: expect.stringContaining('no catalog'),
    });
    const outcomes = await hosts.rows('select 1 from audit_log where query_id = $1 and record_id is not null', [
      queryIdOf(answer),
    ]);
    expect(outcomes).toHaveLength(1);
  });
});

/** Returns what Trino reports about a statement that has ended there. */
const NEVER_THERE = undefined;
const ENDED_THERE = expect.objectContaining({
  state: expect.stringMatching(/^(FAILED|FINISHED)$/),
  endedMs: expect.any(Number),
});
const FAILED_THERE = expect.objectContaining({ state: 'FAILED', endedMs: expect.any(Number) });

/** Reads the first rows of a stream and then pauses. The result must be larger than all buffers. */
async function startReading(sql: string, credential: Credential): Promise<{ rest(): Promise<string> }> {
  const response = await fetch(`${hosts.url}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...credential },
    body: JSON.stringify({ sql }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    if (value !== undefined) parts.push(value);
    return !done;
  };
  const textSoFar = (): string => Buffer.concat(parts).toString();
  while (!textSoFar().includes('"type":"row"'))
    if (!(await readMore())) throw new Error('the stream ended before its rows');
  return {
    async rest() {
      while (await readMore());
      return textSoFar();
    },
  };
}

describe('a bad statement returns an error and leaves nothing running on Trino', () => {
  it.each([
    ["SELECT * FROM TABLE(tpch.system.query(query => 'SELECT 1'))", 'READ_ONLY', NEVER_THERE],
    ["SELECT * FROM TABLE(system.query('SELECT 1'))", 'READ_ONLY', NEVER_THERE],
    ['SELECT * FROM system.runtime.queries', 'PERMISSION_DENIED', NEVER_THERE],
    ['SELECT * FROM system.metadata.catalogs', 'PERMISSION_DENIED', NEVER_THERE],
    ['SELECT * FROM jmx.current."java.lang:type=runtime"', 'PERMISSION_DENIED', NEVER_THERE],
    ['DELETE FROM items', 'READ_ONLY', NEVER_THERE],
    ['SELECT 1; SELECT 2', 'READ_ONLY', NEVER_THERE],
    ['SELECT * FROM nowhere', 'TABLE_NOT_FOUND', FAILED_THERE],
    ['SELECT wrong FROM items', 'COLUMN_NOT_FOUND', FAILED_THERE],
    ['SELECT * FRM items', 'SYNTAX_ERROR', FAILED_THERE],
    ['SELECT 1 / 0', 'DATA_ERROR', FAILED_THERE],
  ])('%s: %s', async (sql, code, there) => {
    const statement = marked(sql);
    const answer = await query(statement.sql);
    const lastEvents = (await eventsOf(answer)).filter(({ type }) => type === 'error' || type === 'complete');
    expect(lastEvents).toEqual([expect.objectContaining({ type: 'error', code })]);
    expect(answer.text).not.toMatch(/io\.trino|127\.0\.0\.1|node_modules/);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({ state: 'FAILED', error: { code } });
    expect(await findTrinoQuery(statement)).toEqual(there);
  });

  it('a row of 50 MB fails with RESOURCE_LIMIT and disturbs no other query', async () => {
    const concurrent = marked(TRINO_STATEMENTS.wide(1000, 40_000));
    const reading = await startReading(concurrent.sql, basicOf(await hosts.build.user(hosts.acme)));
    const statement = marked("SELECT rpad('x', 50000000, 'x') AS large");
    expect(await codeOf(statement.sql)).toBe('RESOURCE_LIMIT');
    expect(await findTrinoQuery(statement)).toEqual(ENDED_THERE);
    expect(await findTrinoQuery(concurrent)).toMatchObject({ errorCode: null, endedMs: null });
    const text = await reading.rest();
    expect(text.match(/"type":"row"/g)).toHaveLength(40_000);
    expect(text.endsWith('data: {"type":"complete"}\n\n')).toBe(true);
    expect(await lastOf(await query('SELECT 1'))).toEqual({ type: 'complete' });
  });
});

describe('a query worker of Trino', () => {
  it('has a limit of its address space like any worker', async () => {
    await query('SELECT 1');
    for (const pid of hosts.stream.context.workers.pids) {
      expect(await readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max address space +\d+ /);
    }
  });
});
