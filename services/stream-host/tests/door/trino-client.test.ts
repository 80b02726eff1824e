import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withoutRun } from './clients/client-check.ts';
import { compareChecks, type ExpectedChecks, type ListedDifference } from './clients/compare-checks.ts';
import { runNodeClient } from './clients/node-client.ts';
import { type Door, startDoor } from './clients/start-door.ts';

const readJson = <Content>(file: string): Content =>
  JSON.parse(readFileSync(new URL(`clients/expected/${file}`, import.meta.url), 'utf8')) as Content;

let door: Door;
beforeAll(async () => {
  door = await startDoor('duckdb');
}, 120_000);
afterAll(async () => await door?.[Symbol.asyncDispose]());

it('gives npm’s trino-client the results of Trino, except for the listed differences', async () => {
  const { node: differences = {} } = readJson<Record<string, Record<string, ListedDifference>>>(
    'differences-door-on-duckdb.json',
  );
  const checks = withoutRun(await runNodeClient(door.plainTarget), door.plainTarget);
  expect(compareChecks(checks, { expected: readJson<ExpectedChecks>('node.json'), differences })).toEqual([]);
});
