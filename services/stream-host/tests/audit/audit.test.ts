import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basic, basicOf, type Credential, idtoken, logIn, post, queryIdOf, sha256Of } from '@sluice/testkit/requests';
import { FAILS_LATE } from '@sluice/testkit/statements';
import pg from 'pg';

interface AuditRow {
  readonly id: string;
  readonly record_id: string | null;
  readonly user_name: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: Record<string, unknown>;
  readonly request_id: string | null;
  readonly query_id: string | null;
  readonly session_id: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
}

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const query = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, body, headers);
const recordsOf = (queryId: string): Promise<AuditRow[]> =>
  hosts.rows('select * from audit_log where query_id = $1 order by record_id nulls first', [queryId]);
const countOf = async (): Promise<number> =>
  (await hosts.rows<{ n: number }>('select count(*)::int as n from audit_log'))[0]?.n ?? -1;

describe('a query is recorded', () => {
  it('once before it runs and once at its end, with SQL and receipt', async () => {
    const sql = `SELECT 'a "quoted"\n\u001b[31mtext' AS a FROM items`;
    const { id_token } = await logIn(hosts, hosts.ann);
    const headers = { ...idtoken(id_token), 'user-agent': 'probe/1', 'x-request-id': 'req-7' };
    const answer = await query({ sql, size: 2 }, headers);
    const [record, outcome, ...more] = await recordsOf(queryIdOf(answer));
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      record_id: null,
      user_name: hosts.ann.email,
      action: 'RUN_QUERY',
      target: queryIdOf(answer),
      metadata: { sql, format: 'sse', size: 2 },
      request_id: 'req-7',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: '127.0.0.1',
      user_agent: 'probe/1',
    });
    expect(outcome).toMatchObject({
      record_id: record?.id,
      user_name: hosts.ann.email,
      action: 'RUN_QUERY',
      request_id: 'req-7',
      metadata: {
        state: 'FINISHED',
        rows: 2,
        bytes: answer.bytes.length,
        sha256: sha256Of(answer.bytes),
        limited: true,
        duration_ms: expect.any(Number),
        error: null,
      },
    });
  });

  it('as DOWNLOAD_QUERY with format and file name for a download', async () => {
    for (const format of ['json', 'csv']) {
      const answer = await post(`${hosts.url}/query/download/${format}`, { sql: 'SELECT 1', filename: 'käse' }, ann);
      const [record, outcome] = await recordsOf(queryIdOf(answer));
      expect(record).toMatchObject({
        action: 'DOWNLOAD_QUERY',
        metadata: { sql: 'SELECT 1', format, filename: 'käse' },
      });
      expect(outcome).toMatchObject({ metadata: { state: 'FINISHED', rows: 1, sha256: sha256Of(answer.bytes) } });
    }
  });

  it('also when the guard or the engine rejects it, and when it fails part-way', async () => {
    for (const [sql, code] of [
      ['DROP TABLE items', 'READ_ONLY'],
      ['SELECT * FROM nowhere', 'TABLE_NOT_FOUND'],
      [FAILS_LATE, 'DATA_ERROR'],
    ] as const) {
      const rows = await recordsOf(queryIdOf(await query({ sql })));
      expect(rows).toHaveLength(2);
      expect(rows[0]?.metadata).toMatchObject({ sql });
      expect(rows[1]?.metadata).toMatchObject({ state: 'FAILED', error: { code } });
    }
  });

  it('before the headers of its stream are sent', async () => {
    const response = await fetch(`${hosts.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: 'SELECT * FROM numbers' }),
    });
    expect(await recordsOf(response.headers.get('x-query-id') ?? '')).not.toHaveLength(0);
    await response.text();
  });
});

describe('a rejection', () => {
  it('for a missing permission writes ACCESS_DENIED once, with the permission', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    const before = await countOf();
    const answer = await query({ sql: 'SELECT 1' }, basicOf(auditor));
    expect(answer.status).toBe(403);
    expect(await countOf()).toBe(before + 1);
    const [record] = await hosts.rows<AuditRow>('select * from audit_log where user_name = $1', [auditor.email]);
    expect(record).toMatchObject({
      action: 'ACCESS_DENIED',
      target: 'streamQuery',
      metadata: { permission: 'query:run' },
      request_id: answer.headers['x-request-id'],
    });
  });

  it('of a Basic credential writes LOGIN_FAILED without the password', async () => {
    const user = await hosts.build.user(hosts.acme);
    await query({ sql: 'SELECT 1' }, basic(user.email, 'hunter2-hunter2'));
    const rows = await hosts.rows<AuditRow>('select * from audit_log where user_name = $1', [user.email]);
    expect(rows).toMatchObject([{ action: 'LOGIN_FAILED', target: user.email, metadata: { method: 'basic' } }]);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });

  it('for an unknown account stores a digest instead of the name on both hosts, which is searchable by the name', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    const { id_token } = await logIn(hosts, auditor);
    const name = 'My-Pass:word of 2026';
    const email = 'Mistyped.Hunter2@example.com';
    const logIn401 = (who: string) => post(`${hosts.api.url}/auth/login/acme`, { email: who, password: 'x' });
    const statuses = [await query({ sql: 'SELECT 1' }, basic(email, 'x')), await logIn401(email), await logIn401(name)];
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
    const everything = JSON.stringify(await hosts.rows('select * from audit_log')).toLowerCase();
    for (const secret of [name, 'hunter2@example']) {
      expect(everything).not.toContain(secret.toLowerCase());
      expect(hosts.logLines.join('\n').toLowerCase()).not.toContain(secret.toLowerCase());
    }
    const search = async (wanted: object) =>
      (await post(`${hosts.api.url}/audits/logs/search`, wanted, idtoken(id_token))).body;
    const found = await search({ size: 1, advance_options: { user_name: email.toUpperCase() } });
    const rest = await send(`${hosts.api.url}/audits/logs/search?page_token=${found.next_page_token}`, {
      headers: idtoken(id_token),
    });
    expect([found.total, rest.body.total, rest.body.next_page_token]).toEqual([2, 2, undefined]);
    const records = [...found.data, ...rest.body.data];
    expect(records.map(({ metadata }) => metadata.method)).toEqual(['password', 'basic']);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    for (const record of records) {
      expect(record).toMatchObject({ user: 'unknown', action: 'LOGIN_FAILED', metadata: { name_digest: digest } });
    }
    const narrow = { user_name: name, action: 'LOGIN_FAILED' };
    expect(await search({ advance_options: narrow })).toMatchObject({ total: 1, data: [{ user: 'unknown' }] });
    expect((await search({ advance_options: { user_name: 'unknown' } })).total).toBeGreaterThanOrEqual(3);
    expect((await search({ advance_options: { user_name: 'another@example.com' } })).total).toBe(0);
    const exported = await post(
      `${hosts.api.url}/audits/logs/export`,
      { advance_options: { user_name: email } },
      idtoken(id_token),
    );
    expect(exported.text.match(/"name_digest"/g)).toHaveLength(2);
  });

  it('of an invalid request writes no record, and neither does a valid Basic credential by itself', async () => {
    const before = await countOf();
    const answers = [
      await query({ sql: '' }),
      await query('{'),
      await query({ sql: 'SELECT 1' }, { ...ann, 'content-type': 'text/plain' }),
      await query({ sql: 'SELECT 1' }, {}),
      await query({ sql: 'SELECT 1' }, idtoken('x')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 415, 401, 401]);
    expect(await countOf()).toBe(before);
  });
});

describe('without an audit record', () => {
  it.each(['/query', '/query/download/json', '/query/download/csv'])(
    'POST %s returns 503 and runs nothing',
    async (path) => {
      const client = new pg.Client({ connectionString: hosts.testDatabase.superuserUrl });
      await client.connect();
      await client.query(`revoke insert on audit_log from ${hosts.testDatabase.streamRole.name}`);
      try {
        const answer = await post(`${hosts.url}${path}`, { sql: 'SELECT 1' }, ann);
        expect([answer.status, answer.body.error]).toEqual([503, 'audit_unavailable']);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.headers['x-query-id']).toBeUndefined();
        expect(answer.headers['content-type']).toMatch(/^application\/json/);
      } finally {
        await client.query(`grant insert on audit_log to ${hosts.testDatabase.streamRole.name}`);
        await client.end();
      }
      expect(hosts.stream.context.running.size).toBe(0);
      expect((await query({ sql: 'SELECT 1' })).text).toContain('"complete"');
    },
  );
});

describe('the database role of the stream host', () => {
  it.each([
    'update audit_log set user_name = user_name',
    'delete from audit_log',
    'truncate audit_log',
    'drop table audit_log',
    'alter table audit_log disable row level security',
    'delete from queries',
    'select * from signing_keys',
    'select * from refresh_tokens',
    'select secret_hashes from clients',
    'update users set roles = roles',
  ])('may not run: %s', async (statement) => {
    const client = new pg.Client({ connectionString: hosts.testDatabase.streamUrl });
    await client.connect();
    try {
      await client.query(`select set_config('sluice.tenant_id', '*', false)`);
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    } finally {
      await client.end();
    }
  });
});
