import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { bodyFaults, stdoutFaults } from './faults/body-faults.ts';
import { crashFaults } from './faults/crash-faults.ts';
import type { FaultCase } from './faults/fault-case.ts';
import { createTargets, type FaultTargets } from './faults/fault-targets.ts';
import { mayMount, placeFaults, unmountAll } from './faults/place-faults.ts';
import { queryFaults } from './faults/query-faults.ts';
import { addressFaults, responseFaults } from './faults/response-faults.ts';
import { type FaultRunner, runFaultCases } from './faults/run-fault-case.ts';
import { killFaults, leavingFaults, signalFaults } from './faults/signal-faults.ts';

let cli: CliHosts;
let runner: FaultRunner;
let targets: FaultTargets;
const ran: FaultCase[] = [];

beforeAll(async () => {
  cli = await startCliHosts();
  targets = await createTargets(cli);
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
  await cli?.[Symbol.asyncDispose]();
});

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

it(
  'says on stderr and by its exit code that stdout is not a whole file',
  () =>
    assertAll(
      targets.small
        .filter(({ isStable }) => isStable)
        .slice(0, 3)
        .flatMap(stdoutFaults),
    ),
  60_000,
);

it(
  'prints only the beginning of a result, and says that it is incomplete, when the stream of a query is damaged',
  () => assertAll(targets.queries.flatMap(queryFaults)),
  60_000,
);

it(
  'leaves nothing when a host or proxy sends something else',
  () => assertAll(targets.small.flatMap(responseFaults)),
  60_000,
);

it(
  'leaves nothing when a host cannot be reached',
  async () => assertAll((await Promise.all(targets.small.map(addressFaults))).flat()),
  60_000,
);

it('leaves nothing where no file can be written', async () => {
  const canMount = await mayMount(cli.home);
  await assertAll(
    targets.small.flatMap((target, index) => placeFaults(target, targets.big[index] ?? target, canMount)),
  );
}, 60_000);

it('stops the query when a signal, its reader or a kill ends it, and leaves at most a part file', async () => {
  const { longStatements, longItems, silent } = targets;
  const [first] = longStatements;
  if (first === undefined) throw new Error('there are no long downloads');
  await assertAll([
    ...[...longStatements, ...longItems].flatMap(signalFaults),
    ...longStatements.flatMap(killFaults),
    ...leavingFaults(first, silent),
  ]);
}, 120_000);

it(
  'never leaves a file without its own receipt, at whichever step it is killed',
  () => assertAll(targets.small.slice(0, 2).flatMap(crashFaults)),
  60_000,
);

it('ran every fault on every format', async () => {
  const kinds = new Map<string, number>();
  for (const { fault } of ran) kinds.set(fault.replace(/\d+ ms/, 'some time'), (kinds.get(fault) ?? 0) + 1);
  process.stdout.write(`${ran.length} faults of ${kinds.size} kinds\n`);
  expect(ran.length).toBeGreaterThan(300);
  expect((await runner.client.stream.listQueries()).data).toEqual([]);
});
