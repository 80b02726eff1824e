import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';
import { type KeepingHosts, rowEvents, startKeepingHosts } from './resume-fixture.ts';

let keeping: KeepingHosts;
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  keeping = await startKeepingHosts();
  ({ hosts } = keeping);
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await keeping?.[Symbol.asyncDispose]());

const query = (body: object, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, body, headers);
const factsOf = async (answer: ReceivedResponse) => {
  const events = await eventsOf(answer);
  return { first: events[0] ?? {}, last: events.at(-1) ?? {} };
};
/** Whether a request was served from the store. */
const isReused = async (answer: ReceivedResponse): Promise<boolean> => 'as_of' in (await factsOf(answer)).first;

/** Each case has a statement of its own. */
let cases = 0;
const newSql = (): string => {
  cases += 1;
  return `SELECT n, $low AS low, ${cases} AS c FROM range(3000) t(n) WHERE n >= $low`;
};
const REQUEST = { parameters: { low: 7 }, time_zone: 'Europe/Berlin', size: 2_000 };

describe('reuse', () => {
  it('returns a kept result of the same request, with its time and its query, and records the read', async () => {
    const body = { ...REQUEST, sql: newSql() };
    const before = Date.now();
    const kept = await query({ ...body, keep: '1h' });
    const id = queryIdOf(kept);
    const reused = await query({ ...body, reuse: '15m', progress: true });
    expect([reused.status, queryIdOf(reused), reused.isWhole]).toEqual([200, id, true]);
    expect(rowEvents(reused.text).join('\n') === rowEvents(kept.text).join('\n')).toBe(true);
    const { first, last } = await factsOf(reused);
    expect(first).toEqual({ ...(await factsOf(kept)).first, query_id: id, as_of: expect.any(Number) });
    expect(Math.abs(Number(first['as_of']) - before)).toBeLessThan(60_000);
    expect(last).toEqual({
      ...{ type: 'complete', query_id: id, rows: 2_000, limited: true, kept_until: expect.any(Number) },
    });
    const records = await hosts.rows(
      `select action, user_name, query_id, metadata from audit_log where record_id is null and
       (query_id = $1 and action <> 'RUN_QUERY' or action = 'RUN_QUERY' and metadata ->> 'sql' = $2) order by occurred`,
      [id, body.sql],
    );
    expect(records).toMatchObject([
      { action: 'RUN_QUERY', query_id: id },
      {
        action: 'READ_RESULT',
        user_name: hosts.ann.email,
        query_id: id,
        metadata: { reuse: '15m', tables_read: [] },
      },
    ]);
  });

  it('is never without the field, and writes big numbers in the form that is asked for', async () => {
    const body = { ...REQUEST, sql: newSql() };
    await query({ ...body, keep: '1h' });
    expect(await isReused(await query(body))).toBe(false);
    const reused = await query({ ...body, reuse: '15m', big_numbers: 'string' });
    expect(await isReused(reused)).toBe(true);
    expect(reused.text).toContain('"n":"7"');
  });

  it('runs the statement for any other request', async () => {
    const sql = newSql();
    const body = { ...REQUEST, sql };
    await query({ ...body, keep: '1h' });
    for (const change of [
      { sql: `${sql} ` },
      { parameters: { low: 8 } },
      { parameters: { low: { type: 'integer', value: 7 } } },
      { time_zone: 'UTC' },
      { time_zone: undefined },
      { size: 2_001 },
      { size: undefined },
      { catalog: 'shop' },
      { schema: 'main' },
    ]) {
      const answer = await query({ ...body, ...change, reuse: '15m' });
      expect([change, answer.status, await isReused(answer)]).toEqual([change, 200, false]);
    }
    const bob = basicOf(await hosts.build.user(hosts.acme));
    expect(await isReused(await query({ ...body, reuse: '15m' }, bob))).toBe(false);
    expect(await isReused(await query({ ...body, reuse: '15m' }))).toBe(true);
  });

  it('runs the statement if the result is too old, expired, removed, or not readable', async () => {
    const body = { ...REQUEST, sql: newSql() };
    const id = queryIdOf(await query({ ...body, keep: '1h' }));
    await hosts.rows(`update kept_results set created = created - interval '61 s' where query_id = $1`, [id]);
    expect(await isReused(await query({ ...body, reuse: '60s' }))).toBe(false);
    expect(await isReused(await query({ ...body, reuse: '2m' }))).toBe(true);

    const [file = ''] = (await keeping.files()).filter((path) => path.endsWith(id));
    await rename(file, `${file}-away`);
    const again = await query({ ...body, reuse: '2m', keep: '1h' });
    expect([again.status, await isReused(again)]).toEqual([200, false]);
    await rename(`${file}-away`, file);
    // The newer one is used from now on.
    expect(queryIdOf(await query({ ...body, reuse: '2m' }))).toBe(queryIdOf(again));
    await hosts.rows(`update kept_results set expires = now() where query_id = $1`, [queryIdOf(again)]);
    expect(queryIdOf(await query({ ...body, reuse: '2m' }))).toBe(id);
    await hosts.rows(`update kept_results set state = 'REMOVED', wrapped_key = null where query_id = $1`, [id]);
    expect(await isReused(await query({ ...body, reuse: '2m' }))).toBe(false);
  });

  it('needs a run that ended with all of its rows', async () => {
    const body = { ...REQUEST, sql: newSql() };
    const id = queryIdOf(await query({ ...body, keep: '1h' }));
    await hosts.rows(`update queries set state = 'FAILED', sha256 = null where query_id = $1`, [id]);
    expect(await isReused(await query({ ...body, reuse: '15m' }))).toBe(false);
  });

  it.each(['', '15', '0m', '-1m', '1.5h', '15 m', 'PT15M', 5, null, true])('rejects %j', async (reuse) => {
    const answer = await query({ sql: 'SELECT 1', reuse });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('shows neither the statement nor equal statements of two tenants in the database', async () => {
    const body = { sql: newSql(), parameters: { low: 1 }, keep: '1h' };
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    const ids = [queryIdOf(await query(body)), queryIdOf(await query(body)), queryIdOf(await query(body, eve))];
    const rows = await hosts.rows<{ query_id: string; key: string }>(
      `select query_id, encode(request_key, 'hex') as key from kept_results where query_id = any ($1)`,
      [ids],
    );
    const keys = ids.map((id) => rows.find(({ query_id: of }) => of === id)?.key);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
  });
});
