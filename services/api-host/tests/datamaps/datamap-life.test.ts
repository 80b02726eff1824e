import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { datamapRecord } from '@sluice/contract';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { createDatamap, getDatamap, madeDatamap, sendAs } from './datamap-requests.ts';

let test: TestHost;
let steward: LoggedIn;
let analyst: LoggedIn;
let admin: LoggedIn;
let writer: LoggedIn;
let namer: LoggedIn;
let foreigner: LoggedIn;

beforeAll(async () => {
  test = await startTestHost();
  await test.rows(
    `insert into roles (tenant_id, name, permissions) values ($1, 'writer', '{datamap:read,datamap:write,query:run}'),
      ($1, 'namer', '{datamap:read,datamap:write}')`,
    [test.acme.tenantId],
  );
  steward = await logInAs(test, ['steward'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  admin = await logInAs(test, ['admin'], test.acme);
  writer = await logInAs(test, ['writer'], test.acme);
  namer = await logInAs(test, ['namer'], test.acme);
  foreigner = await logInAs(test, ['admin'], test.globex);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const step = (who: LoggedIn, id: string, name: string, ifMatch?: string) =>
  sendAs(test, who, { method: 'POST', path: `/datamap/${id}/${name}`, ...(ifMatch === undefined ? {} : { ifMatch }) });
const put = (who: LoggedIn, id: string, body: object, ifMatch?: string) =>
  sendAs(test, who, { method: 'PUT', path: `/datamap/${id}`, body, ...(ifMatch === undefined ? {} : { ifMatch }) });
const remove = (who: LoggedIn, id: string) => sendAs(test, who, { method: 'DELETE', path: `/datamap/${id}` });
const stateOf = async (id: string) => (await getDatamap(test, admin, id)).body.datamap.state;
const auditsOf = (id: string) =>
  test.rows<{ action: string; metadata: Record<string, unknown>; user_name: string }>(
    `select action, metadata, user_name from audit_log where metadata ->> 'datamap_id' = $1 order by occurred`,
    [id],
  );

describe('a new datamap', () => {
  it('is a DRAFT of its creator, described by the engine, with every key of the record', async () => {
    const answer = await createDatamap(test, writer, {
      name: 'totals',
      display_name: ' Totals by day ',
      description: 'What was sold',
      tags: ['Sales', ' sales', 'daily'],
      sql: `select 1::bigint as orders, 2.5::decimal(10,2) as total, date '2026-01-01' as day, ['x'] as tags, 'a' as "a b"`,
      priority: 'HIGH',
      explanation: 'One row a day',
      sme: analyst.email,
      limit: 50,
    });
    expect([answer.status, answer.headers['etag'], answer.headers['location']]).toEqual([
      201,
      '"1"',
      `/datamap/${answer.body.id}`,
    ]);
    expect(() => datamapRecord.strict().parse(answer.body)).not.toThrow();
    const { body } = answer;
    expect(body).toMatchObject({
      type: 'DATAMAP',
      score: 0,
      description: 'What was sold',
      tags: ['Sales', 'daily'],
      tag_count: 2,
      field_count: 5,
      fields: [],
      view_count: 0,
      comment_count: 0,
      datamap: {
        name: 'totals',
        display_name: 'Totals by day',
        state: 'DRAFT',
        import_type: 'NONE',
        priority: 'HIGH',
        assigned: { to: writer.email, sme: analyst.email, from: writer.email },
        config: { is_advanced_mode: true, limit: 50 },
        created_by: writer.email,
        updated_by: writer.email,
        last_published_by: null,
        explanation: 'One row a day',
      },
      user_activity: { type: 'FACT', associated_id: body.id, user_id: writer.id, is_favourite: null, viewed: 0 },
    });
    const field = { description: '', tags: [], auto_increment: 'NO' };
    expect(body.datamap.datamap_fields).toEqual([
      { name: 'orders', data_type: -5, java_type: 'java.lang.Long', column_size: 19, decimal_digits: 0, ...field },
      { name: 'total', data_type: 3, java_type: 'java.math.BigDecimal', column_size: 10, decimal_digits: 2, ...field },
      { name: 'day', data_type: 91, java_type: 'java.sql.Date', column_size: 10, decimal_digits: 0, ...field },
      { name: 'tags', data_type: 2003, java_type: 'java.sql.Array', column_size: 0, decimal_digits: 0, ...field },
      {
        name: 'a b',
        data_type: 12,
        java_type: 'java.lang.String',
        column_size: 2_147_483_647,
        decimal_digits: 0,
        ...field,
      },
    ]);
  });

  it('may have no SQL, and uses its name as its display name', async () => {
    const { status, body } = await createDatamap(test, steward, { name: 'idea' });
    expect([status, body.datamap.display_name, body.datamap.advanced_mode.sql, body.field_count]).toEqual([
      201,
      'idea',
      null,
      0,
    ]);
  });

  it.each([
    ['syntax_error', 'selec 1'],
    ['table_not_found', 'select * from nosuch'],
    ['column_not_found', 'select nosuch from (select 1 as a)'],
    ['read_only', 'create table x (a integer)'],
    ['read_only', 'select 1; select 2'],
  ])("is rejected with the engine's message: %s", async (code, sql) => {
    const answer = await createDatamap(test, steward, { name: 'bad', sql });
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.message.length).toBeGreaterThan(10);
    expect(await test.rows(`select 1 from datamaps where name = 'bad'`)).toEqual([]);
  });
});

describe('describing SQL', () => {
  const described = (name: string) =>
    test.rows<{ metadata: object; user_name: string }>(
      `select metadata, user_name from audit_log where action = 'DESCRIBE_QUERY' and target = $1 order by occurred`,
      [name],
    );

  it('is audited before the engine is called, also when the engine rejects the SQL', async () => {
    const sql = 'select * from nosuch';
    expect((await createDatamap(test, writer, { name: 'recorded', sql })).status).toBe(400);
    expect(await described('recorded')).toEqual([{ metadata: { sql }, user_name: writer.email }]);
    const id = await madeDatamap(test, writer, { name: 'recorded' });
    expect((await put(writer, id, { sql })).status).toBe(400);
    expect((await described('recorded')).at(-1)?.metadata).toEqual({ sql, datamap_id: id });
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
    expect(await described('of a file')).toEqual([{ metadata: { sql }, user_name: admin.email }]);
  });

  it('rejects EXPLAIN ANALYZE, which would run the statement', async () => {
    const answer = await createDatamap(test, writer, { name: 'analyzed', sql: 'explain analyze select 1' });
    expect([answer.status, answer.body.error]).toEqual([400, 'read_only']);
  });
});

describe('the states of a datamap', () => {
  it('go from DRAFT through PUBLISHED and IN_PROGRESS to ARCHIVED and back, each with a version and an audit record', async () => {
    const id = await madeDatamap(test, writer, { name: 'walk' });
    const published = await step(writer, id, 'publish');
    expect([published.status, published.body.datamap.state, published.headers['etag']]).toEqual([
      200,
      'PUBLISHED',
      '"2"',
    ]);
    expect(published.body.datamap.last_published_by).toBe(writer.email);
    expect(published.body.datamap.last_published_timestamp).toBeGreaterThan(Date.now() - 60_000);
    expect((await step(writer, id, 'unpublish')).body.datamap.state).toBe('IN_PROGRESS');
    expect((await step(writer, id, 'archive')).body.datamap.state).toBe('ARCHIVED');
    expect((await step(writer, id, 'publish')).body.datamap.state).toBe('PUBLISHED');
    const renamed = await put(writer, id, { display_name: 'Walked' });
    expect([renamed.body.datamap.state, renamed.body.datamap.display_name]).toEqual(['PUBLISHED', 'Walked']);
    const changed = await put(writer, id, { sql: `select 'x' as letter, 2 as two` });
    expect([changed.body.datamap.state, changed.body.field_count]).toEqual(['IN_PROGRESS', 2]);
    await step(writer, id, 'archive');
    expect((await remove(writer, id)).status).toBe(204);
    expect((await getDatamap(test, admin, id)).status).toBe(404);
    const audits = await auditsOf(id);
    expect(audits.filter(({ action }) => action !== 'READ_DATAMAP').map(({ action }) => action)).toEqual([
      'CREATE_DATAMAP',
      'PUBLISH_DATAMAP',
      'UNPUBLISH_DATAMAP',
      'ARCHIVE_DATAMAP',
      'PUBLISH_DATAMAP',
      'UPDATE_DATAMAP',
      'DESCRIBE_QUERY',
      'UPDATE_DATAMAP',
      'ARCHIVE_DATAMAP',
      'DELETE_DATAMAP',
    ]);
    expect(audits[7]?.metadata).toMatchObject({
      sql: `select 'x' as letter, 2 as two`,
      before: { state: 'PUBLISHED', sql: 'select 1 as one' },
      after: { state: 'IN_PROGRESS', sql: `select 'x' as letter, 2 as two` },
    });
  });

  it.each([
    ['DRAFT', [], 'unpublish'],
    ['PUBLISHED', ['publish'], 'publish'],
    ['IN_PROGRESS', ['publish', 'unpublish'], 'unpublish'],
    ['ARCHIVED', ['archive'], 'unpublish'],
    ['ARCHIVED', ['archive'], 'archive'],
  ])('reject, from %s (after %j), the step %s, and nothing changes', async (state, steps, name) => {
    const id = await madeDatamap(test, writer, { name: 'stuck' }, steps);
    const answer = await step(writer, id, name);
    expect([answer.status, answer.body.error, await stateOf(id)]).toEqual([409, 'conflict', state]);
  });

  it.each([
    ['DRAFT', [], 204],
    ['ARCHIVED', ['archive'], 204],
    ['PUBLISHED', ['publish'], 409],
    ['IN_PROGRESS', ['publish', 'unpublish'], 409],
  ])('allow a %s datamap (after %j) to be removed, or not: %d', async (_state, steps, status) => {
    const id = await madeDatamap(test, writer, { name: 'gone' }, steps);
    expect((await remove(writer, id)).status).toBe(status);
  });

  it('do not publish a datamap without SQL', async () => {
    const { body } = await createDatamap(test, steward, { name: 'empty' });
    const answer = await step(steward, body.id, 'publish');
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'A datamap without SQL cannot be published. Set its SQL first.',
    ]);
  });

  it('stay unchanged, with the SQL, when the engine rejects the new SQL', async () => {
    const id = await madeDatamap(test, writer, { name: 'kept' }, ['publish']);
    const answer = await put(writer, id, { sql: 'select * from nosuch', description: 'new' });
    expect([answer.status, answer.body.error]).toEqual([400, 'table_not_found']);
    const { body } = await getDatamap(test, writer, id);
    expect([body.datamap.state, body.datamap.advanced_mode.sql, body.description]).toEqual([
      'PUBLISHED',
      'select 1 as one',
      null,
    ]);
  });
});

describe('a lost update', () => {
  it('is rejected for an older version; a version is optional', async () => {
    const id = await madeDatamap(test, writer, { name: 'race' });
    const { headers } = await getDatamap(test, writer, id);
    const etag = String(headers['etag']);
    expect((await put(writer, id, { description: 'first' }, etag)).headers['etag']).toBe('"2"');
    for (const stale of [etag, 'W/"2"', '"x"', 'x']) {
      const answer = await put(writer, id, { description: 'second' }, stale);
      expect([stale, answer.status, answer.body.error]).toEqual([stale, 412, 'precondition_failed']);
    }
    expect((await step(writer, id, 'publish', etag)).status).toBe(412);
    expect((await put(writer, id, { description: 'third' }, '*')).status).toBe(200);
    expect((await put(writer, id, { description: 'fourth' })).status).toBe(200);
  });

  it('does not happen in a race: one of twenty writers of one version wins', async () => {
    const id = await madeDatamap(test, writer, { name: 'race' });
    const writes = Array.from({ length: 20 }, (_, index) => put(writer, id, { description: `w${index}` }, '"1"'));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
    expect((await getDatamap(test, writer, id)).headers['etag']).toBe('"2"');
  });
});

describe('permissions', () => {
  it('follow role and ownership, and a hidden datamap returns 404', async () => {
    const draft = await madeDatamap(test, writer, { name: 'mine' });
    const open = await madeDatamap(test, steward, { name: 'open' }, ['publish']);
    const unknown = randomUUID();
    const missing = { ...(await getDatamap(test, analyst, unknown)).body, request_id: '' };
    for (const [who, id] of [
      [analyst, draft],
      [foreigner, draft],
      [foreigner, open],
      [analyst, 'nosuch'],
    ] as const) {
      const answer = await getDatamap(test, who, id);
      expect([answer.status, { ...answer.body, request_id: '' }]).toEqual([404, missing]);
    }
    for (const who of [writer, steward, admin]) expect((await getDatamap(test, who, draft)).status).toBe(200);
    for (const who of [analyst, writer, admin]) expect((await getDatamap(test, who, open)).status).toBe(200);

    // datamap:write covers own datamaps; metadata:write and admin cover every datamap.
    expect((await createDatamap(test, analyst, { name: 'no' })).status).toBe(403);
    expect((await put(analyst, open, { description: 'no' })).status).toBe(403);
    const denied = await put(writer, open, { description: 'no' });
    expect([denied.status, denied.body.error]).toEqual([403, 'access_denied']);
    for (const name of ['publish', 'unpublish', 'archive']) expect((await step(writer, open, name)).status).toBe(403);
    expect((await remove(writer, open)).status).toBe(403);
    for (const who of [foreigner]) {
      expect((await put(who, open, { description: 'no' })).status).toBe(404);
      expect((await step(who, open, 'archive')).status).toBe(404);
      expect((await remove(who, open)).status).toBe(404);
    }
    for (const who of [writer, steward, admin])
      expect((await put(who, draft, { description: 'yes' })).status).toBe(200);
    const refusals = await test.rows(
      `select user_name from audit_log where action = 'ACCESS_DENIED' and user_name = $1`,
      [writer.email],
    );
    expect(refusals).toHaveLength(5);
  });

  it('return 404 for a change of a hidden datamap', async () => {
    const hidden = await madeDatamap(test, steward, { name: 'hidden' });
    expect((await put(writer, hidden, { description: 'no' })).status).toBe(404);
    expect((await step(writer, hidden, 'publish')).status).toBe(404);
    expect((await remove(writer, hidden)).status).toBe(404);
    expect(
      (await sendAs(test, writer, { method: 'PUT', path: `/datamap/${hidden}/activity`, body: { rating: 5 } })).status,
    ).toBe(404);
  });

  it('allow its steward to see and change it', async () => {
    const id = await madeDatamap(test, steward, { name: 'given', sme: writer.email });
    expect((await put(writer, id, { description: 'by the steward' })).status).toBe(200);
    expect((await put(steward, id, { sme: null })).body.datamap.assigned.sme).toBeNull();
    expect((await getDatamap(test, writer, id)).status).toBe(404);
  });

  it('require an idtoken', async () => {
    for (const [method, path] of [
      ['GET', '/datamap/x'],
      ['POST', '/datamap/search'],
      ['POST', '/datamap'],
      ['PUT', '/datamap/x'],
      ['DELETE', '/datamap/x'],
      ['POST', '/datamap/x/publish'],
      ['POST', '/datamap/x/unpublish'],
      ['POST', '/datamap/x/archive'],
      ['PUT', '/datamap/x/activity'],
    ] as const) {
      expect([method, path, (await send(`${test.url}${path}`, { method })).status]).toEqual([method, path, 401]);
    }
    expect(
      (await send(`${test.url}/datamap/x`, { method: 'HEAD', headers: { idtoken: analyst.idToken } })).status,
    ).toBe(405);
  });
});

describe('activity on a datamap', () => {
  it('counts views in total and per user, in batches', async () => {
    const id = await madeDatamap(test, steward, { name: 'seen' }, ['publish']);
    const reads = await Promise.all(Array.from({ length: 20 }, () => getDatamap(test, analyst, id)));
    expect(reads.every(({ status }) => status === 200)).toBe(true);
    await getDatamap(test, writer, id);
    const until = Date.now() + 30_000;
    let stored: { view_count: string; viewed: string | null }[] = [];
    while (stored[0]?.view_count !== '21' && Date.now() < until) {
      stored = await test.rows(
        `select c.view_count, a.viewed from fact_counters c
         left join fact_activity a using (tenant_id, fact_id) where c.fact_id = $1 and a.account_id = $2`,
        [id, analyst.id],
      );
    }
    expect(stored).toEqual([{ view_count: '21', viewed: '20' }]);
    const { body } = await getDatamap(test, analyst, id);
    expect([body.view_count, body.user_activity.viewed]).toEqual([22, 21]);
    expect(body.user_activity.last_viewed_timestamp).toBeGreaterThan(Date.now() - 60_000);
  });

  it('shows a view at once to its user', async () => {
    const id = await madeDatamap(test, steward, { name: 'at once' });
    const { body } = await getDatamap(test, steward, id);
    expect([body.view_count, body.user_activity.viewed]).toEqual([1, 1]);
  });

  it('stores favourite, rating and vote per user, and sums them', async () => {
    const id = await madeDatamap(test, steward, { name: 'rated' }, ['publish']);
    const act = (who: LoggedIn, body: object) =>
      sendAs(test, who, { method: 'PUT', path: `/datamap/${id}/activity`, body });
    expect((await act(analyst, { is_favourite: true, rating: 5, vote: 'up' })).body.user_activity).toMatchObject({
      is_favourite: true,
      rating: 5,
      vote: 'UP',
    });
    await act(writer, { rating: 2, vote: 'down' });
    const changed = await act(writer, { rating: 4 });
    expect(changed.body).toMatchObject({
      average_rating: 4.5,
      favourite_count: 1,
      upvote_count: 1,
      downvote_count: 1,
      user_activity: { rating: 4, vote: 'DOWN', is_favourite: null },
    });
    const taken = await act(analyst, { is_favourite: null, rating: null, vote: null });
    expect(taken.body).toMatchObject({ average_rating: 4, favourite_count: 0, upvote_count: 0, downvote_count: 1 });
    const wishes = Array.from({ length: 10 }, (_, index) =>
      act(admin, { rating: (index % 5) + 1, is_favourite: true }),
    );
    await Promise.all(wishes);
    expect((await getDatamap(test, admin, id)).body).toMatchObject({ favourite_count: 1 });
    expect((await auditsOf(id)).filter(({ action }) => action === 'SET_DATAMAP_ACTIVITY')).toHaveLength(14);
    // Ratings do not change the datamap, so ETags stay valid.
    expect(taken.headers['etag']).toBe('"2"');
  });
});

describe('statements that are slow to describe', () => {
  let slow: TestHost;
  beforeAll(async () => {
    slow = await startTestHost({ DESCRIBE_TIME: '3s', API_WORKERS_MAX: '4' });
  }, 120_000);
  afterAll(async () => await slow?.[Symbol.asyncDispose]());

  it("end with time_limit, and do not block another tenant's saves", async () => {
    const makers = [await logInAs(slow, ['steward'], slow.acme), await logInAs(slow, ['steward'], slow.acme)];
    const other = await logInAs(slow, ['steward'], slow.globex);
    // Evaluated during planning, which is uninterruptible: its worker is killed each time.
    const sql = "select levenshtein(repeat('ab', 60000), repeat('ba', 60000)) as d";
    let ended = 0;
    const saves = Array.from({ length: 6 }, async (_, index) => {
      const maker = makers[index % makers.length] as LoggedIn;
      const { status, body } = await createDatamap(slow, maker, { name: `slow ${index}`, sql });
      ended += 1;
      return `${status} ${body.error}`;
    });
    const saved = await createDatamap(slow, other, { name: 'quick', sql: 'select 1 as one' });
    expect(saved.status).toBe(201);
    expect(ended).toBeLessThan(6);
    const outcomes = new Set(await Promise.all(saves));
    outcomes.delete('429 too_many_requests'); // those that waited for longer than they may
    expect([...outcomes]).toEqual(['504 time_limit']);
  }, 60_000);
});
