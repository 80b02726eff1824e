import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAuditSigner, deriveAuditKey } from '@sluice/audit';
import { runAsSuperuser, type TestDatabase } from '@sluice/testkit';
import { writeRecords } from './audit-readers.ts';
import type { ContinueOptions } from './continue-sealed-log.ts';
import { createOldLog } from './old-log.ts';
import { createPatchedWorkspace, type PatchedWorkspace } from './patched-workspace.ts';
import { appendSealed, verifySealed } from './sealed-log.ts';

const PATCH = fileURLToPath(new URL('add-audit-field.patch', import.meta.url));
const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let workspace: PatchedWorkspace;
let log: Parameters<typeof appendSealed>[0];
const masterKey = randomBytes(32);
const seed = deriveAuditKey(masterKey);

const superuser = <R extends object>(text: string): Promise<R[]> => runAsSuperuser(testDatabase.superuserUrl, text);

/** Appends records with the patched code, and verifies and reads the whole log with it. */
const continuePatched = async (records: number) => {
  const { ownerUrl, apiUrl, apiRole, streamRole } = testDatabase;
  const database = { ownerUrl, apiUrl, apiRole, streamRole };
  const options: ContinueOptions = {
    database,
    tenantId: log.tenantId,
    seed: Buffer.from(seed).toString('hex'),
    records,
  };
  return JSON.parse(await workspace.runScript(JSON.stringify(options)));
};

beforeAll(async () => {
  const scripts = ['continue-sealed-log.ts', 'sealed-log.ts'];
  const sealedMs = Date.now() - DAY_MS;
  const write: Parameters<typeof createOldLog>[0]['write'] = (old) =>
    writeRecords(old, 3, { from: new Date(sealedMs - DAY_MS) });
  [workspace, testDatabase] = await Promise.all([
    createPatchedWorkspace(PATCH, scripts),
    createOldLog({ masterKey, sealedMs, write }),
  ]);
  const [tenant] = await superuser<{ id: string }>('select id from tenants');
  log = { url: testDatabase.apiUrl, tenantId: tenant?.id ?? '', signer: createAuditSigner(seed) };
}, 240_000);
afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

it('adds an audit field by changing at most six files', () => {
  expect(workspace.files).toContain('packages/contract/src/audit/audit-fields.ts');
  expect(workspace.files.length).toBeLessThanOrEqual(6);
});

it('logs sealed before a field was added still verify, and records sealed since have the field in exports and searches', async () => {
  await appendSealed(log);
  const before = await verifySealed(log);
  expect(before).toMatchObject({ records: 4, finding: undefined });
  const { verdict, exported, found } = await continuePatched(2);
  expect(verdict).toEqual({ tenantId: log.tenantId, records: 6, checkpoints: 4 });
  const versions = exported.map((row: { v?: number; account_kind?: string }) => [row.v, row.account_kind]);
  const old = [undefined, undefined];
  expect(versions).toEqual([old, old, old, [1, undefined], [2, 'user'], [2, 'user']]);
  const kinds = found.map((row: { account_kind: string | null }) => row.account_kind);
  expect(kinds).toEqual([null, null, null, null, 'user', 'user']);
});

it('finds a change of the new field', async () => {
  await superuser(`update audit_log set account_kind = 'client' where account_kind is not null`);
  expect((await continuePatched(0)).verdict.finding).toMatchObject({ kind: 'altered', sequence: 5 });
});
