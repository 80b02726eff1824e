import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { queryStopFaults } from '../tests/cli/faults/query-stop-faults.ts';
import { killFaults, leavingFaults, signalFaults } from '../tests/cli/faults/signal-faults.ts';
import { type FaultSuite, some, startFaultSuite } from '../tests/cli/faults/start-fault-suite.ts';

// The command line waits 2 s for the engine's confirmation, and the query must be cancelled within 2 s.
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

it('ran every kind of stop', async () => {
  expect(await suite.countKinds()).toBeGreaterThan(12);
  expect(suite.ran.length).toBeGreaterThan(30);
});
