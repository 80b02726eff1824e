import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, caseSeed, seededRandom, shortOrLong, startCuttingProxy, until } from '@sluice/testkit';
import { type ChildHost, startChildHost } from '@sluice/testkit/hosts';
import { REPEATING_CLIENTS } from './client-programs.ts';
import { type ReadOutcome, WHOLE, WIDE_SQL } from './client-reads.ts';
import type { ClientTarget } from './client-target.ts';
import { type Door, startDoor } from './start-door.ts';
import { startTlsProxy, type TlsProxy } from './start-tls-proxy.ts';

/** Ends of a process, shared by worker and host. */
const KILLS = shortOrLong(12, 1_000, 5_000);
/** Pages of `WIDE_SQL`, and a few after its end. */
const PAGES_MAX = 26;
const PAGES = '/v1/statement/';
const LONG_MS = 7_200_000;

let door: Door;
let host: ChildHost;
let proxy: CuttingProxy;
let tls: TlsProxy;
let target: ClientTarget;
beforeAll(async () => {
  door = await startDoor('duckdb');
  host = await startChildHost(door.hosts);
  proxy = await startCuttingProxy(host.url);
  tls = await startTlsProxy([proxy.url], door.hosts.folder);
  target = { ...door.target, url: tls.url, authority: tls.authority };
  for (const client of REPEATING_CLIENTS) await client.install();
}, 600_000);
afterAll(async () => {
  await tls?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await host?.kill();
  await door?.[Symbol.asyncDispose]();
});

/** Kills the process when the client has asked for this many pages, or not at all if it is done before. */
async function killAtPage(page: number, kill: () => Promise<void>, reading: Promise<ReadOutcome>): Promise<void> {
  const before = proxy.seen.length;
  let isDone = false;
  void reading.finally(() => {
    isDone = true;
  });
  await until(
    () => isDone || proxy.seen.slice(before).filter(({ path }) => path.startsWith(PAGES)).length >= page || undefined,
    { what: `page ${page}` },
  );
  if (!isDone) await kill();
}

const KILLED: Readonly<Record<string, () => Promise<void>>> = {
  worker: async () => {
    for (const pid of await host.workerPids()) process.kill(pid, 'SIGKILL');
  },
  // Another one takes its place at once: without a host, JDBC and the command line try for two minutes.
  host: async () => {
    await host.kill();
    host = await startChildHost(door.hosts, {}, Number(new URL(host.url).port));
  },
};

describe.each(Object.keys(KILLED))('a %s that is killed at any page', (what) => {
  const seed = caseSeed();
  const random = seededRandom(seed);
  const cases = Array.from({ length: KILLS / 2 }, (_, index) => {
    const client = REPEATING_CLIENTS[index % REPEATING_CLIENTS.length];
    return { name: client?.name, client, page: 1 + Math.floor(random() * PAGES_MAX) };
  });

  it.each(cases)(
    `leaves $name all rows or an error, at page $page (seed ${seed})`,
    async ({ client, page }) => {
      const reading = client?.read(target, WIDE_SQL) ?? Promise.resolve(WHOLE);
      await killAtPage(page, async () => await KILLED[what]?.(), reading);
      const outcome = await reading;
      if (!('failure' in outcome)) expect(outcome).toEqual(WHOLE);
    },
    LONG_MS,
  );
});
