import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeCatalog, describeDescriptions } from './contract/catalog.ts';
import { ContractFixture } from './contract/contract-fixture.ts';
import { describeErrors } from './contract/errors.ts';
import { describeFailures } from './contract/failures.ts';
import { describeLimits } from './contract/limits.ts';
import { describeParameters } from './contract/parameters.ts';
import { describeReadOnly } from './contract/read-only.ts';
import { describeRows } from './contract/rows.ts';
import { describeSessions } from './contract/sessions.ts';
import { describeStops } from './contract/stops.ts';
import type { EngineFixture } from './engine-fixture.ts';

interface EngineContractOptions {
  /** Receives how long each aborted statement took to stop, in milliseconds. */
  readonly onStop?: (ms: number) => void;
}

/** Defines the tests that every engine must pass. Calls `createFixture` once and disposes of the fixture. */
export function describeEngine(
  name: string,
  createFixture: () => Promise<EngineFixture>,
  { onStop }: EngineContractOptions = {},
): void {
  describe(name, () => {
    const fixture = new ContractFixture();
    beforeAll(async () => {
      await fixture.setUp(createFixture);
    }, 60_000);
    afterAll(() => fixture.teardown());
    describe('returns exactly the rows', () => describeRows(fixture));
    describe('never reports a cut result as complete', () => describeFailures(fixture));
    describe('returns no more rows than requested', () => describeLimits(fixture));
    describe('stops when aborted', () => describeStops(fixture, onStop));
    describe('reports errors in terms of the caller’s SQL', () => describeErrors(fixture));
    describe('binds parameters', () => describeParameters(fixture));
    describe('isolates statements', () => describeSessions(fixture));
    describe('describes the columns of a statement', () => describeDescriptions(fixture));
    describe('lists its catalogs', () => describeCatalog(fixture));
    describe('only reads', () => describeReadOnly(fixture));
  });
}
