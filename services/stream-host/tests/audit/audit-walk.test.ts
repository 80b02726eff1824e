import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS, AUDIT_METADATA, type AuditAction } from '@sluice/contract';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { type AuditWalk, createAuditWalk, type Scenarios } from './audit-walk.ts';
import { administrationScenarios } from './audit-walk-administration.ts';
import { catalogScenarios } from './audit-walk-catalog.ts';
import { logScenarios } from './audit-walk-log.ts';
import { marketplaceScenarios } from './audit-walk-marketplace.ts';
import { operatorScenarios } from './audit-walk-operator.ts';
import { providerScenarios } from './audit-walk-provider.ts';
import { queryScenarios } from './audit-walk-queries.ts';
import { sessionScenarios } from './audit-walk-sessions.ts';
import { verifyLog } from './verify-log.ts';

const SCENARIOS: Scenarios = {
  ...queryScenarios,
  ...sessionScenarios,
  ...catalogScenarios,
  ...marketplaceScenarios,
  ...administrationScenarios,
  ...operatorScenarios,
  ...providerScenarios,
  ...logScenarios,
};

/** Only the outcome of a query whose host was lost has it; `audit-kill.test.ts` kills one. */
const KEY_OF_LOST_QUERIES = 'at_least';

let hosts: TestHosts;
let walk: AuditWalk;
beforeAll(async () => {
  hosts = await startHosts();
  walk = createAuditWalk(hosts);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

it('every action of the table has a request here that makes it, and nothing else has', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
});

describe('with who, what, when, from where and by which session, and each key of its metadata,', () => {
  it.each(Object.entries(SCENARIOS) as [AuditAction, NonNullable<Scenarios[AuditAction]>][])(
    '%s is on record, once, when its answer is there',
    async (action, scenario) => {
      await scenario(walk);
      const expected = (AUDIT_METADATA[action] ?? []).filter((key) => key !== KEY_OF_LOST_QUERIES);
      expect([...walk.keysOf(action)].sort()).toEqual([...expected].sort());
    },
    60_000,
  );
});

it('the verifier proves the log of all of it, with its counts, receipts and retention', async () => {
  expect(await verifyLog(hosts)).toMatch(new RegExp(`${hosts.acme.id}: \\d+ records and \\d+ checkpoints are proved`));
});
