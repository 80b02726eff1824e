import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { queryStopFaults } from '../tests/cli/faults/query-stop-faults.ts';
import { killFaults, leavingFaults, signalFaults } from '../tests/cli/faults/signal-faults.ts';
import { type FaultSuite, some, startFaultSuite } from '../tests/cli/faults/start-fault-suite.ts';
import { runSluice } from '../tests/cli/run-command.ts';
import { NEVER_SETTLES, withModule } from '../tests/cli/with-module.ts';

// The command line waits 1.5 s for the engine's confirmation, and the query must be cancelled within 2 s.
/** Each case keeps a processor busy. More at once would delay one another, and the time of each is asserted. */
const AT_ONCE = 2;

let suite: FaultSuite;
beforeAll(async () => {
  suite = await startFaultSuite();
});
afterAll(async () => await suite?.[Symbol.asyncDispose]());

it('stops a printed query when a signal, a kill, its reader or a full disk ends it', async () => {
  const { longQueries } = suite.targets;
  const long = longQueries.slice(0, shortOrLong(1, longQueries.length));
  await suite.assertAll(
    long.flatMap((target) => queryStopFaults(target, suite.canMount)),
    AT_ONCE,
  );
});

it('stops the download when a signal, its reader or a kill ends it, and leaves at most a part file', async () => {
  const { longStatements, longItems, silent } = suite.targets;
  const [first] = longStatements;
  if (first === undefined) throw new Error('there are no long downloads');
  const cases = [
    ...[...some(longStatements), ...longItems].flatMap(signalFaults),
    ...some(longStatements).flatMap(killFaults),
    ...leavingFaults(first, silent),
  ];
  await suite.assertAll(cases, AT_ONCE);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ends within 2 s of one %s although a request ignores it',
  async (name) => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-stop-'));
    try {
      let signalledMs = Number.NaN;
      const run = await runSluice(['query', 'SELECT 1'], {
        env: withModule(home, NEVER_SETTLES),
        onStart: (child) =>
          void once(child.stderr, 'data').then(() => {
            signalledMs = performance.now();
            child.kill(name);
          }),
      });
      expect(performance.now() - signalledMs).toBeLessThanOrEqual(2000);
      expect(run).toMatchObject({ exitCode: 130, signal: null, stdout: '' });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
);

it('ran every kind of stop', async () => {
  expect(await suite.countKinds()).toBeGreaterThan(12);
  expect(suite.ran.length).toBeGreaterThan(30);
});
