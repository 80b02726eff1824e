import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_READERS_MAX } from '@sluice/contract';
import {
  buildCaller,
  caseSeed,
  type ReceivedResponse,
  seededRandom,
  send,
  shortOrLong,
  startCuttingProxy,
  until,
} from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';
import {
  completeEvents,
  followEvents,
  type KeepingHosts,
  readCut,
  rowEvents,
  startKeepingHosts,
  withoutIds,
} from './resume-fixture.ts';

/** Some megabytes, in rows of different lengths with every character that a parser of events could stumble over. */
const ROWS = 24_000;
const SQL = `SELECT n, md5(n::VARCHAR) || repeat(chr(10) || 'id: 7é"', (n % 9)::INTEGER) AS t,
  (n * 1000003)::DECIMAL(18,4) AS d, [n, NULL] AS l FROM range(${ROWS}) t(n)`;
/** Rows of a kilobyte, so that a thousand streams of some megabytes are affordable. */
const LARGE_ROWS = 2_500;
const LARGE = `SELECT n, repeat(md5(n::VARCHAR), 30) AS t FROM range(${LARGE_ROWS}) t(n)`;
const CUTS = shortOrLong(200, 1_000);
/** Cuts at once. */
const READERS = 5;

let keeping: KeepingHosts;
let hosts: TestHosts;
let ann: Credential;
/** A kept query, and its stream as `POST /query` sent it. */
let id: string;
let sent: string;
beforeAll(async () => {
  keeping = await startKeepingHosts();
  ({ hosts } = keeping);
  ann = basicOf(hosts.ann);
  const answer = await post(`${hosts.url}/query`, { sql: SQL, keep: '1h' }, ann);
  id = queryIdOf(answer);
  sent = answer.text;
}, 120_000);
afterAll(async () => await keeping?.[Symbol.asyncDispose]());

const resume = (queryId: string, search = '', headers: Credential = {}): Promise<ReceivedResponse> =>
  send(`${hosts.url}/query/${queryId}/events${search}`, { headers: { ...ann, ...headers } });
const lastOf = async (answer: ReceivedResponse): Promise<unknown> => (await eventsOf(answer)).at(-1);
const keepQuery = async (sql: string): Promise<string> =>
  queryIdOf(await post(`${hosts.url}/query`, { sql, keep: '1h' }, ann));

describe('the events of a kept result', () => {
  it('are those of POST /query, each row with its number, between the facts of the result', async () => {
    const answer = await resume(id);
    expect([answer.status, answer.headers['content-type'], answer.isWhole]).toEqual([200, 'text/event-stream', true]);
    expect([answer.headers['x-query-id'], answer.headers['x-accel-buffering']]).toEqual([id, 'no']);
    const text = withoutIds(answer.bytes);
    expect(rowEvents(text).join('\n') === rowEvents(sent).join('\n')).toBe(true);
    const ids = [...answer.text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
    const [first] = await eventsOf(answer);
    const [firstSent] = await eventsOf({ bytes: Buffer.from(sent) });
    expect(first).toEqual({ ...firstSent, as_of: expect.any(Number), query_id: id });
    expect(await lastOf(answer)).toEqual({
      type: 'complete',
      query_id: id,
      rows: ROWS,
      limited: false,
      kept_until: expect.any(Number),
    });
  }, 60_000);

  it('continue after any row, by the query string or else by the header', async () => {
    const small = await keepQuery('SELECT * FROM range(5) t(n)');
    for (const [search, header, numbers] of [
      ['', undefined, [1, 2, 3, 4, 5]],
      ['', '0', [1, 2, 3, 4, 5]],
      ['', '3', [4, 5]],
      ['', '0004', [5]],
      ['?after=1', '4', [2, 3, 4, 5]],
      ['?after=2', 'x', [3, 4, 5]],
      ['', '5', []],
      ['', '6', []],
      ['', '999999999999999', []],
      ['?after=999999999', undefined, []],
    ] as const) {
      const answer = await resume(small, search, header === undefined ? {} : { 'last-event-id': header });
      const seen = [...answer.text.matchAll(/^id: (\d+)\ndata: \{"type":"row","data":\{"n":(\d+)\}\}$/gm)];
      expect([search, header, seen.map(([, number]) => Number(number))]).toEqual([search, header, numbers]);
      expect(seen.every(([, number, value]) => Number(number) === Number(value) + 1)).toBe(true);
      const types = (await eventsOf(answer)).map(({ type }) => type);
      expect([types[0], types.at(-1), types.length]).toEqual(['metadata', 'complete', numbers.length + 2]);
      expect(await lastOf(answer)).toMatchObject({ rows: 5 });
    }
    const upper = await resume(small.toUpperCase());
    expect([upper.status, upper.headers['x-query-id']]).toEqual([200, small]);
  });

  it('have big numbers in the form that is asked for', async () => {
    const big = await keepQuery('SELECT 9007199254740993 AS n');
    const body = { sql: 'SELECT 9007199254740993 AS n', big_numbers: 'string' };
    const direct = await post(`${hosts.url}/query`, body, ann);
    const answer = await resume(big, '?big_numbers=string');
    expect(rowEvents(withoutIds(answer.bytes))).toEqual(rowEvents(direct.text));
    expect(answer.text).toContain('"n":"9007199254740993"');
  });

  it('are recorded once for each request, before the first byte', async () => {
    const small = await keepQuery('SELECT 1 AS n');
    await resume(small, '?after=1');
    await resume(small, '', { 'last-event-id': '1' });
    const records = await hosts.rows(
      `select user_name, metadata from audit_log where action = 'READ_RESULT' and query_id = $1`,
      [small],
    );
    expect(records).toEqual(
      [1, 2].map(() => ({ user_name: hosts.ann.email, metadata: { after: 1, tables_read: [] } })),
    );
    const head = await send(`${hosts.url}/query/${small}/events`, { method: 'HEAD', headers: { ...ann } });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  it('are of the account that ran the query alone', async () => {
    const small = await keepQuery('SELECT 1 AS n');
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    for (const other of [bob, eve]) {
      const answer = await send(`${hosts.url}/query/${small}/events`, {
        headers: { ...other, 'last-event-id': '1' },
      });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    expect((await send(`${hosts.url}/query/${small}/events`)).status).toBe(401);
  });

  it('reject a malformed position, and a query without a kept result', async () => {
    for (const header of ['', '-1', '1.5', '1e3', 'x', '0x1', '1 2', '9'.repeat(16), randomUUID()]) {
      const answer = await resume(id, '', { 'last-event-id': header });
      expect([header, answer.status, answer.body.error]).toEqual([header, 400, 'invalid_request']);
    }
    for (const search of ['?after=-1', '?after=', '?after=x', '?after=1000000000', '?after=1&after=2', '?x=1'])
      expect([search, (await resume(id, search)).status]).toEqual([search, 400]);
    const unkept = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann));
    for (const other of [unkept, randomUUID(), 'no-id', '..%2f..']) {
      const answer = await resume(other);
      expect([other, answer.status, answer.body.error]).toEqual([other, 404, 'not_found']);
    }
  });

  it('of a query that has failed are its error', async () => {
    const answer = await post(`${hosts.url}/query`, { sql: `SELECT error('boom') AS n`, keep: '1h' }, ann);
    const failed = await lastOf(answer);
    const { location: _, ...error } = failed as Record<string, unknown>;
    expect(await eventsOf(await resume(queryIdOf(answer)))).toEqual([error]);
  });

  it('are limited in number for each account, and a reader that leaves frees its place', async () => {
    const { eventReaders } = hosts.stream.context;
    const { principal } = buildCaller(hosts.ann.id);
    const account = { ...principal, tenant: hosts.acme };
    const readers = Array.from({ length: EVENT_READERS_MAX }, () =>
      readCut({ url: `${hosts.url}/query/${id}/events`, headers: ann }, 100_000),
    );
    for (const { bytes } of await Promise.all(readers)) expect(bytes.length).toBe(100_000);
    const places = await until(() => takeAll(() => eventReaders.acquire(account)), { what: 'all places' });
    const refused = await resume(id);
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    for (const place of places) place[Symbol.dispose]();
    expect((await resume(id, `?after=${ROWS}`)).status).toBe(200);
  }, 60_000);
});

describe('a stream that is cut', () => {
  const seed = caseSeed();

  it(`at ${CUTS} random bytes and resumed equals the uncut one, byte for byte (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const large = await keepQuery(LARGE);
    const whole = (await resume(large)).bytes;
    expect(whole.length).toBeGreaterThan(2_000_000);
    const head = whole.subarray(0, whole.indexOf('\n\n') + 2);
    const transfer = { url: `${hosts.url}/query/${large}/events`, headers: ann };
    const cuts = Array.from({ length: CUTS }, () => Math.floor(random() * (whole.length + 1)));
    const wrong: number[] = [];
    const reader = async (): Promise<void> => {
      for (let cut = cuts.pop(); cut !== undefined; cut = cuts.pop()) {
        const { bytes } = await readCut(transfer, cut);
        const complete = completeEvents(bytes);
        const idAt = complete.lastIndexOf('\nid: ');
        const last = /\d+/.exec(complete.toString('latin1', idAt, idAt + 20))?.[0];
        const { bytes: rest } = await resume(
          large,
          '',
          idAt === -1 || last === undefined ? {} : { 'last-event-id': last },
        );
        // Without an id, only the metadata was received, and it is sent again.
        const received = Math.max(complete.length, head.length);
        const ended = complete.length === whole.length ? lastEventAt(whole) : received;
        const isEqual =
          bytes.equals(whole.subarray(0, cut)) && rest.equals(Buffer.concat([head, whole.subarray(ended)]));
        if (!isEqual) wrong.push(cut);
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
    expect(wrong).toEqual([]);
  }, 300_000);

  it('is followed to its end by a reader that reconnects as a browser does', async () => {
    await using proxy = await startCuttingProxy(hosts.url);
    proxy.damage('/query/', { kind: 'cut', afterBytes: 333_333 });
    const { messages, connections } = await followEvents(`${proxy.url}/query/${id}/events`, ann);
    expect(connections).toBeGreaterThan(5);
    const rows = messages.filter(({ data }) => data.startsWith('{"type":"row"'));
    expect(rows.map(({ lastEventId }) => Number(lastEventId))).toEqual(
      Array.from({ length: ROWS }, (_, index) => index + 1),
    );
    const data = rows.map((row) => `data: ${row.data}`);
    expect(data.join('\n') === rowEvents(sent).join('\n')).toBe(true);
    expect(JSON.parse(messages.at(-1)?.data ?? '')).toMatchObject({ type: 'complete', rows: ROWS });
  }, 60_000);
});

/** Returns the index of the last event of a whole stream. */
const lastEventAt = (whole: Buffer): number => whole.lastIndexOf('\n\n', whole.length - 3) + 2;

/** Acquires all places, or none while readers hold some of them. */
function takeAll(acquire: () => Disposable): readonly Disposable[] | undefined {
  const places: Disposable[] = [];
  try {
    while (places.length < EVENT_READERS_MAX) places.push(acquire());
    return places;
  } catch {
    for (const place of places) place[Symbol.dispose]();
    return undefined;
  }
}
