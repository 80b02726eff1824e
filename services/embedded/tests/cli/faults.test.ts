import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { addressFaults } from './faults/address-faults.ts';
import { bodyFaults, stdoutFaults } from './faults/body-faults.ts';
import { crashFaults } from './faults/crash-faults.ts';
import { placeFaults } from './faults/place-faults.ts';
import { queryFaults } from './faults/query-faults.ts';
import { queryResponseFaults } from './faults/query-response-faults.ts';
import { responseFaults } from './faults/response-faults.ts';
import { type FaultSuite, some, startFaultSuite } from './faults/start-fault-suite.ts';

// What stops a long query, and how soon, is tested under load (cli-stops.test.ts).
let suite: FaultSuite;
beforeAll(async () => {
  suite = await startFaultSuite();
});
afterAll(async () => await suite?.[Symbol.asyncDispose]());

it('leaves nothing that looks whole when the body is cut, reset, ended early or stalled, in every format', () =>
  suite.assertAll(suite.targets.small.flatMap(bodyFaults)));

it('says on stderr and by its exit code that stdout is not a whole file', () => {
  const stable = suite.targets.small.filter(({ isStable }) => isStable);
  return suite.assertAll(stable.slice(0, shortOrLong(2, 3)).flatMap(stdoutFaults));
});

it('prints only the beginning of a result, and says that it is incomplete, when the stream of a query is damaged', () =>
  suite.assertAll(some(suite.targets.queries).flatMap(queryFaults)));

it('prints no row of a query, or all, when a host or proxy sends something else', () => {
  const { queries } = suite.targets;
  return suite.assertAll(queries.slice(0, shortOrLong(1, queries.length)).flatMap(queryResponseFaults));
});

it('leaves nothing when a host or proxy sends something else', () =>
  suite.assertAll(some(suite.targets.small).flatMap(responseFaults)));

it('leaves nothing when a host cannot be reached, or its TLS fails', () => {
  const { small, queries } = suite.targets;
  const downloads = some(small).map(({ name, words }) => ({ target: name, words: words(''), file: 'out.file' }));
  const printed = some(queries).map(({ format, sql }) => ({
    target: `query ${format}`,
    words: ['query', sql, '--format', format],
  }));
  return suite.assertAll([...downloads, ...printed].flatMap((each) => addressFaults(each, suite.addresses)));
});

it('leaves nothing where no file can be written', async () => {
  const { small, big } = suite.targets;
  const pairs = small.map((target, index) => [target, big[index] ?? target] as const);
  await suite.assertAll(some(pairs).flatMap(([target, large]) => placeFaults(target, large, suite.canMount)));
});

it('never leaves a file without its own receipt, at whichever step it is killed', () =>
  suite.assertAll(suite.targets.small.slice(0, 2).flatMap(crashFaults)));

it('ran every fault', async () => {
  // Each of the kinds, also where `npm test` tries fewer formats.
  expect(await suite.countKinds()).toBeGreaterThan(60);
  expect(suite.ran.length).toBeGreaterThan(shortOrLong(200, 500));
});
