import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader, send, until } from '@sluice/testkit';
import { type ChildHost, startChildHost, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, listOf } from '@sluice/testkit/requests';
import { LONG } from '@sluice/testkit/statements';
import { type KeepingHosts, startKeepingHosts } from './resume-fixture.ts';

let keeping: KeepingHosts;
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  keeping = await startKeepingHosts({ HOST_SILENCE: '5s' });
  ({ hosts } = keeping);
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await keeping?.[Symbol.asyncDispose]());

const filesOf = async (id: string): Promise<readonly string[]> =>
  (await keeping.files()).filter((file) => file.includes(id));
const statusOf = async (path: string, url = hosts.url): Promise<number> =>
  (await send(`${url}${path}`, { headers: { ...ann } })).status;

/** Starts a query that writes its result for a long time, and waits until the store has some of it. */
async function startWriting(host: ChildHost) {
  const reader = openSlowReader({
    url: `${host.url}/query`,
    headers: { 'content-type': 'application/json', ...ann },
    body: JSON.stringify({ sql: LONG, keep: '1h' }),
    bytesPerSecond: 20_000_000,
  });
  const id = await until(async () => (await listOf(host.url, ann))[0]?.query_id, { what: 'the query' });
  await until(
    async () => {
      const [file] = await filesOf(id);
      return file !== undefined && (await stat(file)).size > 50_000 ? true : undefined;
    },
    { what: 'a part of the result' },
  );
  return { reader, id };
}

/** Asserts that no host returns anything of a result, and that the purge removes all of it. */
async function assertNothingStays(id: string): Promise<void> {
  for (const path of [`/query/${id}/rows`, `/query/${id}/rows?from=0&size=1`])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  await until(
    async () => {
      await hosts.stream.context.resultPurge?.purge();
      const rows = await hosts.rows('select 1 from kept_results where query_id = $1', [id]);
      return rows.length === 0 && (await filesOf(id)).length === 0 ? true : undefined;
    },
    { what: 'the removal of the result' },
  );
  await hosts.stream.context.resultPurge?.sweep();
  expect([await filesOf(id), await statusOf(`/query/${id}/rows`)]).toEqual([[], 404]);
}

const errorsOf = async (id: string): Promise<string> =>
  (await send(`${hosts.url}/query/${id}/events`, { headers: { ...ann } })).text;

describe('kill -9 while a result is written', () => {
  it.each(['with its client', 'without its client'])(
    'of the worker, %s, leaves nothing',
    async (how) => {
      const host = await startChildHost(hosts, { WORKERS_MAX: '1', WORKERS_WARM: '0' });
      try {
        const { reader, id } = await startWriting(host);
        if (how === 'without its client') reader.abort();
        for (const pid of await host.workerPids()) process.kill(pid, 'SIGKILL');
        const receipt = await finalReceipt(host.url, id, { credential: ann });
        expect(receipt).toMatchObject({ state: 'FAILED', error: { code: 'ENGINE_CRASHED' } });
        expect(await errorsOf(id)).toContain('"code":"ENGINE_CRASHED"');
        await assertNothingStays(id);
        reader[Symbol.dispose]();
      } finally {
        await host.kill();
      }
    },
    120_000,
  );

  it.each(['with its client', 'without its client'])(
    'of the host, %s, leaves nothing',
    async (how) => {
      const host = await startChildHost(hosts, { WORKERS_MAX: '1', WORKERS_WARM: '0' });
      const { reader, id } = await startWriting(host);
      if (how === 'without its client') reader.abort();
      const waiting = errorsOf(id);
      await host.kill();
      expect(await statusOf(`/query/${id}/rows`)).toBe(404);
      // A client that waits on another host is notified as soon as the query counts as lost.
      expect(await waiting).toContain('The host that ran the query stopped; its outcome is unknown.');
      expect(await finalReceipt(hosts.url, id, { credential: ann })).toMatchObject({ state: 'UNKNOWN', sha256: null });
      await assertNothingStays(id);
      reader[Symbol.dispose]();
    },
    120_000,
  );
});
