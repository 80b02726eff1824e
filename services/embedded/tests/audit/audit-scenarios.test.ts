import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS, AUDIT_METADATA, type AuditAction } from '@sluice/contract';
import { verifyLog } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { administrationScenarios } from './audit-scenarios-administration.ts';
import { catalogScenarios } from './audit-scenarios-catalog.ts';
import { datamapScenarios } from './audit-scenarios-datamaps.ts';
import { logScenarios } from './audit-scenarios-log.ts';
import { marketplaceScenarios } from './audit-scenarios-marketplace.ts';
import { operatorScenarios } from './audit-scenarios-operator.ts';
import { programScenarios } from './audit-scenarios-programs.ts';
import { providerScenarios } from './audit-scenarios-provider.ts';
import { queryScenarios } from './audit-scenarios-queries.ts';
import { sessionScenarios } from './audit-scenarios-sessions.ts';
import { supervisionScenarios } from './audit-scenarios-supervision.ts';
import { createScenarioRunner, type ScenarioRunner, type Scenarios } from './scenario-runner.ts';

const SCENARIOS: Scenarios = {
  ...queryScenarios,
  ...sessionScenarios,
  ...catalogScenarios,
  ...datamapScenarios,
  ...marketplaceScenarios,
  ...administrationScenarios,
  ...operatorScenarios,
  ...providerScenarios,
  ...programScenarios,
  ...logScenarios,
  ...supervisionScenarios,
};

/**
 * Keys that no request records: `at_least` of a query whose host was lost (`audit-kill.test.ts`), those of the batches that a job applies
 * (`metadata-file-import.test.ts`), `tables_read_limited` of a statement that reads more than 1,000 tables (`tables-read.test.ts`), `cause` of a
 * session that a host ends (`session-lifetimes.test.ts`), `left_out` of requests that were too many for a record each
 * (`oauth-refusals.test.ts`), and `repeats` and `since_ts` of equal reads of a Trino client (`catalogue-reads.test.ts`).
 */
const KEYS_WITHOUT_REQUEST = new Set([
  ...['at_least', 'import_id', 'batch', 'tables_read_limited', 'cause', 'left_out'],
  ...['repeats', 'since_ts'],
]);

let hosts: TestHosts;
let resultFolder: string;
let runner: ScenarioRunner;
beforeAll(async () => {
  resultFolder = await mkdtemp(join(tmpdir(), 'sluice-scenarios-'));
  hosts = await startHosts({
    RESULT_FOLDER: resultFolder,
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '1h',
    TRINO_DOOR: 'true',
  });
  runner = createScenarioRunner(hosts);
  await runner.knowPrograms(hosts.ann.id);
}, 180_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(resultFolder, { recursive: true, force: true });
});

it('has a scenario for exactly the actions of the table', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
});

describe('with user, target, time, address, session and all metadata keys', () => {
  it.each(Object.entries(SCENARIOS) as [AuditAction, NonNullable<Scenarios[AuditAction]>][])(
    'writes %s exactly once before the response',
    async (action, scenario) => {
      await scenario(runner);
      const expected = (AUDIT_METADATA[action] ?? []).filter((key) => !KEYS_WITHOUT_REQUEST.has(key));
      expect([...runner.keysOf(action)].sort()).toEqual([...expected].sort());
    },
  );
});

it('passes the verifier with all records, counts, receipts and retention', async () => {
  expect(await verifyLog(hosts)).toMatch(
    new RegExp(`${hosts.acme.id}: \\d+ records and \\d+ checkpoints are verified`),
  );
});
