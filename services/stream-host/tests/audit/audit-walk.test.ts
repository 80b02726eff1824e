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

/** Recorded only for a query whose host was lost, which `audit-kill.test.ts` tests. */
const KEY_OF_LOST_QUERIES = 'at_least';

let hosts: TestHosts;
let walk: AuditWalk;
beforeAll(async () => {
  hosts = await startHosts();
  walk = createAuditWalk(hosts);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

it('has a scenario for exactly the actions of the table', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
});

describe('with user, target, time, address, session and all metadata keys', () => {
  it.each(Object.entries(SCENARIOS) as [AuditAction, NonNullable<Scenarios[AuditAction]>][])(
    'writes %s exactly once before the response',
    async (action, scenario) => {
      await scenario(walk);
      const expected = (AUDIT_METADATA[action] ?? []).filter((key) => key !== KEY_OF_LOST_QUERIES);
      expect([...walk.keysOf(action)].sort()).toEqual([...expected].sort());
    },
    60_000,
  );
});

it('passes the verifier with all records, counts, receipts and retention', async () => {
  expect(await verifyLog(hosts)).toMatch(new RegExp(`${hosts.acme.id}: \\d+ records and \\d+ checkpoints are proved`));
});
