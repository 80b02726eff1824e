import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { shortOrLong } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { addressFaults, type BadAddresses, startBadAddresses } from './faults/address-faults.ts';
import { bodyFaults, stdoutFaults } from './faults/body-faults.ts';
import { crashFaults } from './faults/crash-faults.ts';
import type { FaultCase } from './faults/fault-case.ts';
import { createTargets, type FaultTargets } from './faults/fault-targets.ts';
import { mayMount, placeFaults, unmountAll } from './faults/place-faults.ts';
import { queryFaults } from './faults/query-faults.ts';
import { queryResponseFaults } from './faults/query-response-faults.ts';
import { queryStopFaults } from './faults/query-stop-faults.ts';
import { responseFaults } from './faults/response-faults.ts';
import { type FaultRunner, runFaultCases } from './faults/run-fault-case.ts';
import { killFaults, leavingFaults, signalFaults } from './faults/signal-faults.ts';

let cli: CliHosts;
let runner: FaultRunner;
let targets: FaultTargets;
let addresses: BadAddresses;
let canMount: boolean;
const ran: FaultCase[] = [];

beforeAll(async () => {
  cli = await startCliHosts();
  targets = await createTargets(cli);
  canMount = await mayMount(cli.home);
  addresses = await startBadAddresses(cli.hosts.url);
  const { clientId, secret } = await cli.hosts.build.client(cli.hosts.acme, { roles: ['analyst'] });
  const auth = { clientId, clientSecret: secret };
  const { bare, home, hosts } = cli;
  const env = {
    ...bare,
    SLUICE_API_URL: hosts.api.url,
    SLUICE_TENANT: 'acme',
    SLUICE_CLIENT_ID: clientId,
    SLUICE_CLIENT_SECRET: secret,
  };
  const client = createClient({ tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url, auth });
  runner = { streamUrl: hosts.url, env, home, client };
}, 120_000);
afterAll(async () => {
  await unmountAll();
  await addresses?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

/** Faults that end alike in every format: `npm test` takes the first formats and the archive of an item, soak takes all. */
const some = <Each>(all: readonly Each[], first = 1): readonly Each[] => {
  const kept = shortOrLong(first, all.length);
  return all.filter((_, index) => index < kept || index === all.length - 1);
};

/** Runs the cases of one kind of fault, and asserts that nothing is wrong with any of them. */
async function assertAll(cases: readonly FaultCase[]): Promise<void> {
  ran.push(...cases);
  expect(await runFaultCases(cases, runner)).toEqual([]);
}

it(
  'leaves nothing that looks whole when the body is cut, reset, ended early or stalled, in every format',
  () => assertAll(targets.small.flatMap(bodyFaults)),
  120_000,
);

it('says on stderr and by its exit code that stdout is not a whole file', () => {
  const stable = targets.small.filter(({ isStable }) => isStable);
  return assertAll(stable.slice(0, shortOrLong(2, 3)).flatMap(stdoutFaults));
});

it('prints only the beginning of a result, and says that it is incomplete, when the stream of a query is damaged', () =>
  assertAll(some(targets.queries).flatMap(queryFaults)));

it('prints no row of a query, or all, when a host or proxy sends something else', () =>
  assertAll(targets.queries.slice(0, shortOrLong(1, targets.queries.length)).flatMap(queryResponseFaults)));

it('leaves nothing when a host or proxy sends something else', () =>
  assertAll(some(targets.small).flatMap(responseFaults)));

it('leaves nothing when a host cannot be reached, or its TLS fails', () => {
  const downloads = some(targets.small).map(({ name, words }) => ({
    target: name,
    words: words(''),
    file: 'out.file',
  }));
  const queries = some(targets.queries).map(({ format, sql }) => ({
    target: `query ${format}`,
    words: ['query', sql, '--format', format],
  }));
  return assertAll([...downloads, ...queries].flatMap((each) => addressFaults(each, addresses)));
});

it('leaves nothing where no file can be written', async () => {
  const pairs = targets.small.map((target, index) => [target, targets.big[index] ?? target] as const);
  await assertAll(some(pairs).flatMap(([target, big]) => placeFaults(target, big, canMount)));
});

it('stops a printed query when a signal, a kill, its reader or a full disk ends it', async () => {
  const long = targets.longQueries.slice(0, shortOrLong(1, targets.longQueries.length));
  await assertAll(long.flatMap((target) => queryStopFaults(target, canMount)));
}, 120_000);

it('stops the download when a signal, its reader or a kill ends it, and leaves at most a part file', async () => {
  const { longStatements, longItems, silent } = targets;
  const [first] = longStatements;
  if (first === undefined) throw new Error('there are no long downloads');
  await assertAll([
    ...[...some(longStatements), ...longItems].flatMap(signalFaults),
    ...some(longStatements).flatMap(killFaults),
    ...leavingFaults(first, silent),
  ]);
}, 120_000);

it('never leaves a file without its own receipt, at whichever step it is killed', () =>
  assertAll(targets.small.slice(0, 2).flatMap(crashFaults)));

it('ran every fault', async () => {
  const kinds = new Set(ran.map(({ fault }) => fault.replace(/\d+ ms/, 'some time')));
  process.stdout.write(`${ran.length} faults of ${kinds.size} kinds\n`);
  expect(ran.length).toBeGreaterThan(shortOrLong(200, 500));
  // Each of the kinds, also where `npm test` tries fewer formats.
  expect(kinds.size).toBeGreaterThan(75);
  expect((await runner.client.stream.listQueries()).data).toEqual([]);
});
