import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withoutRun } from './client-check.ts';
import { CLIENT_PROGRAMS, type ClientProgram } from './client-programs.ts';
import type { ClientTarget } from './client-target.ts';
import {
  compareChecks,
  type ExpectedChecks,
  expectedOf,
  type ListedDifference,
  listDifferences,
} from './compare-checks.ts';

/** A door with the engine of its tenant, whose differences are listed. `trino`: the server that all are compared with. */
type TargetName = 'trino' | 'door-on-trino' | 'door-on-duckdb';

/** Differences by client and check. */
type Differences = Readonly<Record<string, Readonly<Record<string, ListedDifference>>>>;

/** `expected`: a run on Trino rewrites what it answers. `differences`: a run on a door rewrites its list, with empty reasons for new ones. */
// biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
const WRITES = process.env['DOOR_CLIENTS_WRITE'];
/** A client takes a minute at most. Go, pip and Maven download what they need the first time. */
const CLIENT_MS = 600_000;

const expectedFile = (client: string): URL => new URL(`expected/${client}.json`, import.meta.url);
const differencesFile = (target: TargetName): URL => new URL(`expected/differences-${target}.json`, import.meta.url);

async function readJson<Content>(file: URL, absent: Content): Promise<Content> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch (error) {
    if (Reflect.get(error as Error, 'code') === 'ENOENT') return absent;
    throw error;
  }
}

const writeJson = (file: URL, content: object): Promise<void> =>
  writeFile(file, `${JSON.stringify(content, undefined, 2)}\n`);

/** Declares a test for each client: what it does with the server is what it does with Trino, except for the differences that are listed. */
export function describeClients(
  target: TargetName,
  find: () => ClientTarget,
  programs: readonly ClientProgram[] = CLIENT_PROGRAMS,
): void {
  describe.each(programs)(`$name, on ${target}`, (client) => {
    beforeAll(client.install, CLIENT_MS);

    it(
      'does what it does with Trino, except for the listed differences',
      async () => {
        const server = find();
        const checks = withoutRun(await client.run(server), server);
        if (WRITES === 'expected' && target === 'trino') await writeJson(expectedFile(client.name), expectedOf(checks));
        const expected = await readJson<ExpectedChecks>(expectedFile(client.name), {});
        const listed = await readJson<Differences>(differencesFile(target), {});
        const differences = listed[client.name] ?? {};
        if (WRITES === 'differences' && target !== 'trino') {
          const found = listDifferences(checks, { expected, differences });
          await writeJson(differencesFile(target), { ...listed, [client.name]: found });
        }
        expect(compareChecks(checks, { expected, differences })).toEqual([]);
      },
      CLIENT_MS,
    );

    it('has a reason for each listed difference', async () => {
      const listed = (await readJson<Differences>(differencesFile(target), {}))[client.name] ?? {};
      const without = Object.entries(listed).filter(([, { why }]) => why.trim() === '');
      expect(without.map(([name]) => name)).toEqual([]);
    });
  });
}
