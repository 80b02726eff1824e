import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { type DatamapFixture, startDatamapFixture } from './datamap-fixture.ts';
import { createDatamap, madeDatamap, sendAs } from './datamap-requests.ts';

let fixture: DatamapFixture;
let test: TestHost;
let admin: LoggedIn;
let namer: LoggedIn;
let writer: LoggedIn;
let put: DatamapFixture['put'];

beforeAll(async () => {
  // A test makes the audit log of all tenants fail.
  fixture = await startDatamapFixture(startTestHost);
  ({ test, admin, namer, writer, put } = fixture);
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

describe('describing SQL', () => {
  const described = (name: string) =>
    test.rows<{ metadata: object; user_name: string }>(
      `select metadata, user_name from audit_log where action = 'DESCRIBE_QUERY' and target = $1 order by occurred`,
      [name],
    );

  it('is audited before the engine plans it, also when the engine rejects the SQL', async () => {
    const sql = 'select * from nosuch';
    expect((await createDatamap(test, writer, { name: 'recorded', sql })).status).toBe(400);
    expect(await described('recorded')).toEqual([{ metadata: { sql, tables_read: null }, user_name: writer.email }]);
    const id = await madeDatamap(test, writer, { name: 'recorded' });
    expect((await put(writer, id, { sql })).status).toBe(400);
    expect((await described('recorded')).at(-1)?.metadata).toEqual({ sql, datamap_id: id, tables_read: null });
  });

  it('fails with 503 without its audit record, and the engine does not receive the SQL', async () => {
    await test.rows(`create function refuse_record() returns trigger language plpgsql as $$ begin
      raise exception 'no space' using errcode = '53100'; end $$`);
    await test.rows(`create trigger refuse_record before insert on audit_log for each row
      when (new.action = 'DESCRIBE_QUERY') execute function refuse_record()`);
    try {
      const answer = await createDatamap(test, writer, { name: 'unrecorded', sql: 'select * from nosuch' });
      expect([answer.status, answer.body.error]).toEqual([503, 'audit_unavailable']);
      const file = { datamaps: [{ name: 'unrecorded', sql: 'select * from nosuch' }] };
      const applied = await sendAs(test, admin, { method: 'POST', path: '/admin/apply', body: file });
      expect([applied.status, applied.body.error]).toEqual([503, 'audit_unavailable']);
    } finally {
      await test.rows('drop trigger refuse_record on audit_log');
      await test.rows('drop function refuse_record');
    }
  });

  it('needs query:run, which other changes do not', async () => {
    const refused = await createDatamap(test, namer, { name: 'named', sql: 'select 1 as one' });
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
    expect(refused.body.message).toContain('query:run');
    expect(await described('named')).toEqual([]);
    const { status, body } = await createDatamap(test, namer, { name: 'named' });
    expect(status).toBe(201);
    expect((await put(namer, body.id, { description: 'No SQL' })).status).toBe(200);
    expect((await put(namer, body.id, { sql: 'select 1 as one' })).status).toBe(403);
  });

  it('of a configuration file is audited once per statement', async () => {
    const sql = 'select 42 as answer';
    const file = {
      dry_run: true,
      datamaps: [
        { name: 'of a file', sql },
        { name: 'of a file too', sql },
      ],
    };
    expect((await sendAs(test, admin, { method: 'POST', path: '/admin/apply', body: file })).status).toBe(200);
    expect(await described('of a file')).toEqual([{ metadata: { sql, tables_read: [] }, user_name: admin.email }]);
  });

  it.each(['', 'select 1; ', 'explain analyze '])(
    'returns 400 before the engine evaluates an argument: %spragma',
    async (before) => {
      const sql = `${before}pragma table_info(sleep_ms(600000)::varchar)`;
      const { status, body } = await createDatamap(test, writer, { name: 'pragma', sql });
      expect([status, body.error]).toEqual([400, 'read_only']);
    },
  );

  it('rejects EXPLAIN ANALYZE, which would run the statement', async () => {
    const answer = await createDatamap(test, writer, { name: 'analyzed', sql: 'explain analyze select 1' });
    expect([answer.status, answer.body.error]).toEqual([400, 'read_only']);
  });
});

describe('statements that are slow to describe', () => {
  /** Number of workers of the host. */
  const SAVES = 4;
  let slow: TestHost;
  beforeAll(async () => {
    slow = await startTestHost({ DESCRIBE_TIME: '2s', API_WORKERS_MAX: '4' });
  }, 120_000);
  afterAll(async () => await slow?.[Symbol.asyncDispose]());

  it("end with time_limit, and do not block another tenant's saves", async () => {
    const makers = [await logInAs(slow, ['steward'], slow.acme), await logInAs(slow, ['steward'], slow.acme)];
    const other = await logInAs(slow, ['steward'], slow.globex);
    // Evaluated during planning, which is uninterruptible: its worker is killed each time.
    const sql = "select levenshtein(repeat('ab', 60000), repeat('ba', 60000)) as d";
    let ended = 0;
    const saves = Array.from({ length: SAVES }, async (_, index) => {
      const maker = makers[index % makers.length] as LoggedIn;
      const { status, body } = await createDatamap(slow, maker, { name: `slow ${index}`, sql });
      ended += 1;
      return `${status} ${body.error}`;
    });
    const saved = await createDatamap(slow, other, { name: 'quick', sql: 'select 1 as one' });
    expect(saved.status).toBe(201);
    expect(ended).toBeLessThan(SAVES);
    const outcomes = new Set(await Promise.all(saves));
    outcomes.delete('429 too_many_requests'); // those that waited for longer than they may
    expect([...outcomes]).toEqual(['504 time_limit']);
  });
});
