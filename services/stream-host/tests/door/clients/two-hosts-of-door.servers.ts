import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildHost, startChildHost } from '@sluice/testkit/hosts';
import { REPEATING_CLIENTS } from './client-programs.ts';
import { WHOLE, WIDE_SQL } from './client-reads.ts';
import type { ClientTarget } from './client-target.ts';
import { type Door, startDoor } from './start-door.ts';
import { startTlsProxy, type TlsProxy } from './start-tls-proxy.ts';

const LONG_MS = 600_000;
/** Time in which a client has read a part of `WIDE_SQL`. */
const PART_MS = 1_500;

let door: Door;
let second: ChildHost;
let tls: TlsProxy;
let target: ClientTarget;
beforeAll(async () => {
  door = await startDoor('duckdb');
  second = await startChildHost(door.hosts);
  tls = await startTlsProxy([door.hosts.url, second.url], door.hosts.folder);
  target = { ...door.target, url: tls.url, authority: tls.authority };
  for (const client of REPEATING_CLIENTS) await client.install();
}, LONG_MS);
afterAll(async () => {
  await tls?.[Symbol.asyncDispose]();
  await second?.kill();
  await door?.[Symbol.asyncDispose]();
});

describe.each(REPEATING_CLIENTS)('$name behind a proxy that takes two hosts in turn', (client) => {
  it(
    'reads all rows, with pages of both hosts',
    async () => {
      expect(await client.read(target, WIDE_SQL)).toEqual(WHOLE);
    },
    LONG_MS,
  );

  it(
    'has all rows or an error when one of them is killed',
    async () => {
      const reading = client.read(target, WIDE_SQL);
      await new Promise((resolve) => setTimeout(resolve, PART_MS));
      const port = Number(new URL(second.url).port);
      await second.kill();
      second = await startChildHost(door.hosts, {}, port);
      const outcome = await reading;
      if (!('failure' in outcome)) expect(outcome).toEqual(WHOLE);
    },
    LONG_MS,
  );
});
