import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, probeWorker, receiptOf, sha256Of } from '@sluice/testkit/requests';
import { ENDLESS, wideRows } from '@sluice/testkit/statements';
import { type KeepingHosts, SLOW_FAILURE, slowRows, startKeepingHosts } from '../results/resume-fixture.ts';
import { begun, follow, get, rowsOf, run, type TrinoPage } from './trino-client.ts';

let keeping: KeepingHosts;
let hosts: TestHosts;
/** Cancels its statements when no client asks for a page within 2 s. */
let other: StreamHost;
let ann: Credential;
beforeAll(async () => {
  keeping = await startKeepingHosts({ TRINO_DOOR: 'true', WORKERS_MAX: '4' });
  ({ hosts } = keeping);
  other = await startStreamHost({
    environment: { ...hosts.environment, STREAM_PORT: '0', TRINO_POLL_WAIT: '2s' },
    overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
  });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  await other?.drain();
  await keeping?.[Symbol.asyncDispose]();
});

/** More rows than memory holds: 24 MB. */
const LONG_ROWS = 240_000;
const LONG = wideRows(100, LONG_ROWS);
const doorOf = ({ stream }: TestHosts) => stream.context.door?.openResults;

describe('a statement whose result is kept', () => {
  it('runs to its end without a reader, and its rows come from the store', async () => {
    const first = await begun(hosts.url, LONG, ann);
    const receipt = await finalReceipt(hosts.url, first.id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: LONG_ROWS });
    expect(await probeWorker(hosts.url, ann)).toBe(true);
    const followed = await follow(first, ann);
    expect(rowsOf(followed)).toHaveLength(LONG_ROWS);
    const bytes = Buffer.from(followed.rowsText);
    expect([bytes.length, sha256Of(bytes)]).toEqual([receipt.bytes, receipt.sha256]);
  });

  it('needs at most two pages of memory', async () => {
    const first = await begun(hosts.url, LONG, ann);
    await finalReceipt(hosts.url, first.id, { credential: ann });
    const bytes = doorOf(hosts)?.find(first.id, { tenant: hosts.acme, kind: 'user', id: hosts.ann.id } as never)?.bytes;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(3 * 1024 * 1024);
    await get(first.nextUri ?? '', ann, { method: 'DELETE' });
  });

  it('has pages on every host, also in turn, and again', async () => {
    const direct = await run(hosts.url, LONG, ann);
    const first = await begun(hosts.url, LONG, ann);
    const inTurn = await follow(first, ann, { hosts: [hosts.url, other.url] });
    expect(inTurn.rowsText === direct.rowsText).toBe(true);
    const again = await follow(first, ann, { hosts: [other.url] });
    expect(again.rowsText === direct.rowsText).toBe(true);
    const ofBob = basicOf(await hosts.build.user(hosts.acme));
    expect((await get(first.nextUri ?? '', ofBob, { at: other.url })).status).toBe(404);
  });

  it('has empty pages on other hosts until it is over, and is not abandoned meanwhile', async () => {
    const first = await begun(other.url, slowRows(10), ann);
    const followed = await follow(first, ann, { hosts: [hosts.url] });
    expect(followed.pages[0]).toMatchObject({ nextUri: expect.any(String), stats: { state: 'RUNNING' } });
    expect(rowsOf(followed).map(([n]) => n)).toEqual(Array.from({ length: 10 }, (_, n) => n));
  });

  it('has its failure on every host', async () => {
    const first = await begun(hosts.url, SLOW_FAILURE, ann);
    const { last } = await follow(first, ann, { hosts: [other.url] });
    expect([last.error?.message, last.stats.state]).toEqual([expect.stringContaining('boom'), 'FAILED']);
  });

  it.each([
    ["SELECT 1,\n  error(concat('bo', 'om')) AS e", 'GENERIC_USER_ERROR'],
    ['SELECT n FROM\n nowhere', 'TABLE_NOT_FOUND'],
    ['SELECT 9223372036854775807 + n FROM (SELECT 1 AS n)', 'NUMERIC_VALUE_OUT_OF_RANGE'],
  ])('has the name, number and place of its failure on every host: %s', async (sql, errorName) => {
    const first = await begun(hosts.url, sql, ann);
    const { error } = (await follow(first, ann)).last;
    expect(error?.errorName).toBe(errorName);
    expect((await follow(first, ann, { hosts: [other.url] })).last.error).toEqual(error);
  });

  it.each(['', 'it was too slow'])('is killed on every host, with the message "%s"', async (message) => {
    const first = await begun(hosts.url, ENDLESS, ann);
    const sql = `CALL system.runtime.kill_query(query_id => '${first.id}', message => '${message}')`;
    expect((await run(other.url, sql, ann)).last.error).toBeUndefined();
    const { error } = (await follow(first, ann)).last;
    expect(error).toMatchObject({
      ...{ errorName: 'ADMINISTRATIVELY_KILLED', errorCode: 38, errorType: 'USER_ERROR' },
      message: `The query was killed by its caller. Message: ${message || 'None.'}`,
    });
    expect((await follow(first, ann, { hosts: [other.url] })).last.error).toEqual(error);
    const receipt = await finalReceipt(hosts.url, first.id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED', message: error?.message } });
    expect(Object.keys(receipt.error ?? {})).toEqual(['code', 'message']);
  });

  it('is cancelled on another host', async () => {
    const first = await begun(hosts.url, ENDLESS, ann);
    expect((await get(first.nextUri ?? '', ann, { method: 'DELETE', at: other.url })).status).toBe(204);
    expect((await follow(first, ann)).last.error).toMatchObject({ errorName: 'USER_CANCELED' });
  });
});

describe('the address of a page of another day', () => {
  it('is gone on every host when the rows are not kept any more', async () => {
    const first = await begun(hosts.url, LONG, ann);
    const { nextUri: second = '' } = (await get(first.nextUri ?? '', ann)).body as TrinoPage;
    await finalReceipt(hosts.url, first.id, { credential: ann });
    await hosts.rows(`update kept_results set expires = now() - interval '1 day' where query_id = $1`, [first.id]);
    await hosts.rows(
      `update queries set started = started - interval '1 day', ended = ended - interval '1 day' where query_id = $1`,
      [first.id],
    );
    await hosts.stream.context.resultPurge?.purge();
    const answer = await get(second, ann, { at: other.url });
    expect([answer.status, answer.body.error]).toEqual([410, 'gone']);
    doorOf(hosts)?.close(first.id, { tenant: hosts.acme, kind: 'user', id: hosts.ann.id } as never);
    expect((await get(second, ann)).status).toBe(410);
  });

  it('is not found if another host gave it out, whose keys are not those of this one', async () => {
    const first = await begun(hosts.url, 'SELECT 1 AS one', ann);
    const [stored] = await hosts.rows<{ key: Buffer }>('select key from login_throttle_key');
    await hosts.rows('update login_throttle_key set key = sha256(key)');
    await using withOtherKeys = await startStreamHost({
      environment: { ...hosts.environment, STREAM_PORT: '0' },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
    });
    for (const method of ['GET', 'HEAD', 'DELETE'])
      expect((await get(first.nextUri ?? '', ann, { method, at: withOtherKeys.url })).status).toBe(404);
    await hosts.rows('update login_throttle_key set key = $1', [stored?.key]);
    expect(rowsOf(await follow(first, ann))).toEqual([[1]]);
  });
});

describe('a statement whose client leaves', () => {
  it('is cancelled when no client asks for a page, and says so', async () => {
    const first = await begun(other.url, ENDLESS, ann);
    const receipt = await finalReceipt(other.url, first.id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED' } });
    expect(receipt.error?.message).toContain('No client asked for a page within 2 s');
    const { last } = await follow(first, ann);
    expect(last.error?.errorName).toBe('ABANDONED_QUERY');
  });

  it('runs on while a client asks for a page with HEAD, on any host', async () => {
    const first = await begun(other.url, ENDLESS, ann);
    const uri = first.nextUri ?? '';
    for (const at of [other.url, hosts.url, other.url, hosts.url, hosts.url]) {
      expect((await get(uri, ann, { method: 'HEAD', at })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 900));
    }
    expect((await receiptOf(hosts.url, first.id, ann)).state).toBe('RUNNING');
    await get(uri, ann, { method: 'DELETE' });
  });
});
