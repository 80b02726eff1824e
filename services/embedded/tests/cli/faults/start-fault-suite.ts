import { expect } from '@jest/globals';
import { createClient } from '@sluice/client';
import { allCases, shortOrLong } from '@sluice/testkit';
import { startCliHosts } from '../cli-hosts.ts';
import { type BadAddresses, startBadAddresses } from './address-faults.ts';
import type { FaultCase } from './fault-case.ts';
import { createTargets, type FaultTargets } from './fault-targets.ts';
import { mayMount, unmountAll } from './place-faults.ts';
import { type FaultRunner, runFaultCases } from './run-fault-case.ts';

/** Hosts, targets and accounts of the tests of faults, and the cases that ran. */
export interface FaultSuite extends AsyncDisposable {
  readonly targets: FaultTargets;
  readonly addresses: BadAddresses;
  /** Whether the process may mount file systems. */
  readonly canMount: boolean;
  readonly ran: readonly FaultCase[];
  /** Runs the cases of one kind of fault, five at once by default, and asserts that nothing is wrong with any of them. */
  readonly assertAll: (cases: readonly FaultCase[], atOnce?: number) => Promise<void>;
  /** Asserts that no query of the account runs any more, and returns the number of kinds of faults that ran. */
  readonly countKinds: () => Promise<number>;
}

/** Faults that end alike in every format: CI takes the first formats and the archive of an item, soak takes all. */
export const some = <Each>(all: readonly Each[], first = 1): readonly Each[] => {
  const kept = shortOrLong(first, all.length);
  return all.filter((_, index) => index < kept || index === all.length - 1);
};

/**
 * Returns whether a case runs in a process of its own: one that is signalled, has a wrapper or another stdout than a pipe, and the first
 * one of each exit code and message. The others run in the process of the test; all cases run in their own with SLUICE_CASES=all.
 */
function firstOfEachEnd(): (fault: FaultCase) => boolean {
  const seen = new Set<string>();
  return ({ onStart, wrapper, stdout, exitCode, message }) => {
    const end = `${exitCode} ${message}`;
    const isFirst = !seen.has(end);
    seen.add(end);
    return allCases || isFirst || onStart !== undefined || wrapper !== undefined || stdout !== undefined;
  };
}

/** Starts both hosts with everything that the cases need. */
export async function startFaultSuite(): Promise<FaultSuite> {
  const cli = await startCliHosts();
  const { bare, home, hosts } = cli;
  const targets = await createTargets(cli);
  const canMount = await mayMount(home);
  const addresses = await startBadAddresses(hosts.url);
  const { clientId, secret } = await hosts.build.client(hosts.acme, { roles: ['analyst'] });
  const auth = { clientId, clientSecret: secret };
  const env = {
    ...bare,
    SLUICE_API_URL: hosts.api.url,
    SLUICE_TENANT: 'acme',
    SLUICE_CLIENT_ID: clientId,
    SLUICE_CLIENT_SECRET: secret,
  };
  const client = createClient({ tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url, auth });
  const runner: FaultRunner = { streamUrl: hosts.url, env, home, client, needsProcess: firstOfEachEnd() };
  const ran: FaultCase[] = [];
  return {
    targets,
    addresses,
    canMount,
    ran,
    async assertAll(cases, atOnce) {
      ran.push(...cases);
      expect(await runFaultCases(cases, runner, atOnce)).toEqual([]);
    },
    async countKinds() {
      const kinds = new Set(ran.map(({ fault }) => fault.replace(/\d+ ms/, 'some time')));
      process.stdout.write(`${ran.length} faults of ${kinds.size} kinds\n`);
      expect((await client.stream.listQueries()).data).toEqual([]);
      return kinds.size;
    },
    async [Symbol.asyncDispose]() {
      await unmountAll();
      await addresses[Symbol.asyncDispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}
