import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeCatalog, describeDescriptions } from './contract/catalog.ts';
import { describeErrors } from './contract/errors.ts';
import { describeFailures } from './contract/failures.ts';
import { describeLimits } from './contract/limits.ts';
import { describeReadOnly } from './contract/read-only.ts';
import { describeRows } from './contract/rows.ts';
import { describeSessions } from './contract/sessions.ts';
import { Stage } from './contract/stage.ts';
import { describeStops } from './contract/stops.ts';
import type { EngineFixture } from './engine-fixture.ts';

/** What every engine promises, whatever is behind it. `createFixture` is called once, and the fixture is disposed of. */
export function describeEngine(name: string, createFixture: () => Promise<EngineFixture>): void {
  describe(name, () => {
    const stage: Stage = new Stage();
    beforeAll(async () => {
      await stage.set(createFixture);
    }, 60_000);
    afterAll(() => stage.strike());
    describe('gives exactly the rows', () => describeRows(stage));
    describe('never calls a cut result whole', () => describeFailures(stage));
    describe('gives no more rows than asked for', () => describeLimits(stage));
    describe('stops when told to', () => describeStops(stage));
    describe('says what is wrong in the words of the caller', () => describeErrors(stage));
    describe('keeps statements apart', () => describeSessions(stage));
    describe('describes the columns of a statement', () => describeDescriptions(stage));
    describe('lists its catalogs', () => describeCatalog(stage));
    describe('only reads', () => describeReadOnly(stage));
  });
}
