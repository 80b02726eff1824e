import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';
import { type AuditReader, allPages, auditReader, type PageRecord, writeRecords } from './audit-readers.ts';
import { followLog } from './follow-log.ts';

const DAY = 86_400_000;
const FROM = Math.floor(Date.now() / DAY) * DAY - 100 * DAY;
/** Holds exactly the records that `writeRecords` wrote: LOGIN and LOGIN_FAILED in turn. */
const PAST = { start: FROM, end: FROM + DAY };
/** Holds a statement with its outcome, its cancellation, and changes of other objects. */
const STATEMENTS = { start: FROM + DAY, end: FROM + 2 * DAY };

const SQL = `-- Verspätungen
SELECT carrier, avg(delay) FROM Demo.Vega.Flights WHERE city = 'Zürich' AND share < 100% AND "odd_\\name" IS NOT NULL`;
const QUERY_ID = '11111111-1111-4111-8111-111111111111';

let test: TestHost;
let reader: AuditReader;

beforeAll(async () => {
  test = await startTestHost();
  reader = await auditReader(test);
  await writeRecords(test, 250, { from: new Date(FROM) });
  await test.rows(
    `with t as (select id from tenants where name = 'acme'), q as (
       insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
       select t.id, gen_random_uuid(), $1, 'ann@example.com', 'RUN_QUERY', $3::text, jsonb_build_object('sql', $2::text), $3::text::uuid from t returning *)
     insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
     select tenant_id, gen_random_uuid(), id, occurred + interval '1 second', user_name, action, target, '{"state": "FINISHED"}'::jsonb, query_id from q
     union all select id, gen_random_uuid(), null, $1::timestamptz + interval '2 seconds', 'bob@example.com', 'READ_CATALOG', 'demo.vega.flights', '{}'::jsonb, null from t
     union all select id, gen_random_uuid(), null, $1::timestamptz + interval '3 seconds', 'bob@example.com', 'UPDATE_DATAMAP', 'Straße der Verspätung', '{}'::jsonb, null from t`,
    [new Date(STATEMENTS.start), SQL, QUERY_ID],
  );
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const ordinals = (records: readonly PageRecord[]) => records.map(({ metadata }) => metadata['ordinal']);
const totalOf = async (advance_options: object, range: object = PAST): Promise<number> => {
  const { status, body } = await reader.search({ advance_options, size: 3000, ...range });
  expect(status).toBe(200);
  expect(body.data).toHaveLength(body.total);
  return body.total;
};

/** Waits until the totals of the records come from the sealer's counts. */
const sealed = (range: { readonly start: number; readonly end: number }, count: number) =>
  until(
    async () => {
      const [row] = await test.rows<{ records: string }>(
        `select coalesce(sum(records), 0)::text as records from audit_counts where kind = 'all' and tenant_id = $1
           and hour >= $2 and hour < $3`,
        [test.acme.tenantId, new Date(range.start), new Date(range.end)],
      );
      return Number(row?.records) >= count || undefined;
    },
    { what: 'the sealing of the records' },
  );

describe('a search for several actions', () => {
  it.each(['asc', 'desc'])('returns the records of each in the order %s, over all pages', async (order) => {
    const wanted = { advance_options: { actions: ['LOGIN_FAILED', 'LOGIN', 'LOGIN'] }, sort_value: order, ...PAST };
    const pages = await allPages(reader, { size: 60, ...wanted });
    expect(pages.map(({ total, data }) => [total, data.length])).toEqual([
      [250, 60],
      [250, 60],
      [250, 60],
      [250, 60],
      [250, 10],
    ]);
    const all = Array.from({ length: 250 }, (_, index) => index + 1);
    expect(pages.flatMap(({ data }) => ordinals(data))).toEqual(order === 'asc' ? all : all.reverse());
  });

  it('leaves out those that are excluded, and combines with every other filter, also in the totals of sealed records', async () => {
    const check = async () => {
      expect(await totalOf({ actions: ['LOGIN', 'LOGOUT'] })).toBe(125);
      expect(await totalOf({ exclude_actions: ['LOGIN', 'LOGOUT'] })).toBe(125);
      expect(await totalOf({ exclude_actions: ['LOGOUT'] })).toBe(250);
      expect(await totalOf({ exclude_actions: ['LOGIN', 'LOGIN_FAILED'] })).toBe(0);
      expect(await totalOf({ actions: ['LOGIN', 'LOGIN_FAILED'], exclude_actions: ['LOGIN'] })).toBe(125);
      expect(await totalOf({ actions: ['LOGIN'], exclude_actions: ['LOGIN'] })).toBe(0);
      expect(await totalOf({ action: 'LOGIN', actions: ['LOGIN', 'LOGOUT'] })).toBe(125);
      expect(await totalOf({ action: 'LOGIN', actions: ['LOGOUT'] })).toBe(0);
      expect(await totalOf({ user_name: 'user1@example.com', actions: ['LOGIN', 'LOGOUT'] })).toBe(42);
      expect(await totalOf({ user_name: 'user1@example.com', exclude_actions: ['LOGIN'] })).toBe(42);
      expect(await totalOf({ target: 'target3', actions: ['LOGIN', 'LOGIN_FAILED'] })).toBe(50);
      const edges = { start: FROM + 30 * 60_000, end: FROM + 245 * 60_000 };
      expect(await totalOf({ actions: ['LOGIN', 'LOGIN_FAILED'] }, edges)).toBe(215);
      expect(await totalOf({ exclude_actions: ['LOGIN'] }, edges)).toBe(107);
    };
    await check();
    await sealed(PAST, 250);
    await check();
  });
});

describe('a search for words', () => {
  const found = (text: string, more: object = {}) => totalOf({ text, ...more }, STATEMENTS);

  it('finds those of SQL and target in any case, with or without accents, and within longer words', async () => {
    for (const text of ['flights', 'DEMO.VEGA.FLIGHTS', 'light']) expect([text, await found(text)]).toEqual([text, 2]);
    for (const text of [
      'zurich',
      'ZÜRICH',
      'Zu\u0308rich',
      'ｚｕｒｉｃｈ',
      'carrier  delay\nzurich',
      '100%',
      'odd_\\name',
    ])
      expect([text, await found(text)]).toEqual([text, 1]);
    expect(await found('verspatung')).toBe(2);
    expect(await found('STRASSE')).toBe(1);
    for (const text of ['oddxname', '100x', 'flights nowhere', "'; drop table"]) expect(await found(text)).toBe(0);
  });

  it('combines with the other filters', async () => {
    expect(await found('flights', { action: 'RUN_QUERY' })).toBe(1);
    expect(await found('flights', { actions: ['RUN_QUERY', 'READ_CATALOG'] })).toBe(2);
    expect(await found('flights', { exclude_actions: ['READ_CATALOG'] })).toBe(1);
    expect(await found('flights', { user_name: 'BOB@example.com' })).toBe(1);
    expect(await found('flights', { query_id: QUERY_ID })).toBe(1);
    expect(await found('flights', { target: 'demo.vega.flights' })).toBe(1);
  });
});

describe('an export', () => {
  it('has the records that match and, for words of a statement, its outcome', async () => {
    const { status, text } = await postJson(
      `${test.url}/audits/logs/export`,
      { advance_options: { text: 'zurich' }, ...STATEMENTS },
      reader.headers,
    );
    expect(status).toBe(200);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1).map(({ action, metadata }) => [action, metadata.state])).toEqual([
      ['RUN_QUERY', undefined],
      ['RUN_QUERY', 'FINISHED'],
    ]);
    expect(JSON.parse(lines.at(-1).payload).filter).toEqual({ text: 'zurich', ...STATEMENTS });
  });

  it('has several actions, or all others', async () => {
    const actionsOf = async (advance_options: object) => {
      const { text } = await postJson(
        `${test.url}/audits/logs/export`,
        { advance_options, ...STATEMENTS },
        reader.headers,
      );
      return text
        .trimEnd()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).action);
    };
    expect(await actionsOf({ actions: ['READ_CATALOG', 'UPDATE_DATAMAP'] })).toEqual([
      'READ_CATALOG',
      'UPDATE_DATAMAP',
    ]);
    expect(await actionsOf({ exclude_actions: ['RUN_QUERY'] })).toEqual(['READ_CATALOG', 'UPDATE_DATAMAP']);
  });
});

describe('the stream', () => {
  const follow = async (query: string, isEnough: (text: string) => boolean): Promise<string[]> => {
    const text = await followLog({ url: test.url, reader, query: `?after=0&${query}` }, isEnough);
    return [...text.matchAll(/"action":"([A-Z_]+)"/g)].map(([, action]) => String(action));
  };

  it('sends matching records only, and moves on behind the others', async () => {
    await sealed(STATEMENTS, 3);
    const actions = await follow('actions=UPDATE_DATAMAP,RUN_QUERY', (text) => text.includes('UPDATE_DATAMAP'));
    expect(new Set(actions)).toEqual(new Set(['RUN_QUERY', 'UPDATE_DATAMAP']));
    const rest = await follow('exclude_actions=LOGIN,LOGIN_FAILED,READ_CATALOG&text=verspatung', (text) =>
      text.includes('UPDATE_DATAMAP'),
    );
    expect(rest).toEqual(['RUN_QUERY', 'RUN_QUERY', 'UPDATE_DATAMAP']);
    const [head] = await test.rows<{ sequence: string }>(
      'select max(sequence)::text as sequence from audit_chain where tenant_id = $1',
      [test.acme.tenantId],
    );
    // Nothing matches: the stream still says that it has passed over everything.
    const positions = await followLog({ url: test.url, reader, query: '?after=0&action=LOGOUT' }, (text) =>
      [...text.matchAll(/^id: (\d+)$/gm)].some(([, id]) => Number(id) >= Number(head?.sequence)),
    );
    expect(positions).not.toContain('data:');
  });

  it('finds the failed logins with the name of no account', async () => {
    const name = 'nobody.at.all@example.com';
    await postJson(`${test.url}/auth/login/acme`, { email: name, password: 'wrong' });
    const text = await followLog({ url: test.url, reader, query: `?after=0&user_name=${name}` }, (received) =>
      received.includes('name_digest'),
    );
    expect(text.match(/^data: /gm)).toHaveLength(1);
  });

  it('is recorded with its filters', async () => {
    await follow('actions=LOGIN&text=target1', (text) => text.includes('LOGIN'));
    const rows = await test.rows(
      `select metadata from audit_log where action = 'FOLLOW_AUDIT_LOGS' and metadata ? 'text'`,
    );
    expect(rows).toContainEqual({ metadata: { after: 0, actions: ['LOGIN'], text: 'target1' } });
  });
});

describe('bad filters', () => {
  const rejected = async (advance_options: object): Promise<string> => {
    const messages = [];
    for (const path of ['search', 'export']) {
      const { status, body } = await postJson(`${test.url}/audits/logs/${path}`, { advance_options }, reader.headers);
      expect([path, status, body.error]).toEqual([path, 400, 'invalid_request']);
      messages.push(body.message);
    }
    expect(messages[1]).toBe(messages[0]);
    return messages[0];
  };

  it('an unknown action is named, with where the list is', async () => {
    for (const options of [{ action: 'DANCE' }, { actions: ['LOGIN', 'DANCE'] }, { exclude_actions: ['DANCE'] }]) {
      const message = await rejected(options);
      expect(message).toContain('must be a known action, not "DANCE"');
      expect(message).toContain('docs/audit-actions.md');
    }
    const { status, body } = await send(`${test.url}/audits/logs/stream?actions=LOGIN,DANCE`, {
      headers: reader.headers,
    });
    expect([status, body.message]).toEqual([400, expect.stringContaining('not "DANCE": docs/audit-actions.md')]);
  });

  it.each([
    ['no action', { actions: [] }, 'actions must have at least one action'],
    ['an action without a list', { actions: 'LOGIN' }, 'actions must be a list of actions'],
    ['300 actions', { exclude_actions: Array(300).fill('LOGIN') }, 'exclude_actions must have at most 200 actions'],
    ['a number', { actions: [1] }, 'actions must be a known action'],
    ['no words', { text: ' \n' }, 'text must have at least one word'],
    ['201 characters', { text: 'é'.repeat(201) }, 'text must have at most 200 characters'],
    ['NUL', { text: 'a\0b' }, 'text must be well-formed Unicode without NUL'],
  ])('%s: 400', async (_name, options, message) => {
    expect(await rejected(options)).toContain(message);
  });

  it('words of a megabyte: 4xx', async () => {
    const { status, body } = await reader.search({ advance_options: { text: 'x'.repeat(1_000_000) } });
    expect([status, body.message]).toEqual([400, expect.stringContaining('text must have at most 200 characters')]);
    const larger = await reader.search({ advance_options: { text: 'x'.repeat(1_100_000) } });
    expect(larger.status).toBe(413);
  });
});
