import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAuditSigner, deriveAuditKey } from '@sluice/audit';
import { SEAL_VERSIONS } from '@sluice/contract';
import { runAsSuperuser, type TestDatabase } from '@sluice/testkit';
import { writeRecords } from './audit-readers.ts';
import type { ContinueOptions } from './continue-sealed-log.ts';
import { createEditedWorkspace, type Edit, type EditedWorkspace } from './edited-workspace.ts';
import { createOldLog } from './old-log.ts';
import { appendSealed, verifySealed } from './sealed-log.ts';

const LAST = SEAL_VERSIONS.at(-1) ?? 0;
const NEXT = LAST + 1;

/** Everything that a field needs besides its docs: the example of "An audit field" in CONTRIBUTING.md. */
const EDITS: readonly Edit[] = [
  {
    file: 'packages/contract/src/audit/audit-fields.ts',
    before: /\] as const;\nexport type SealVersion/,
    insert: `, ${NEXT}`,
  },
  {
    file: 'packages/contract/src/audit/audit-fields.ts',
    before: /\] as const satisfies readonly AuditFieldSpec\[\];/,
    insert: `  {
    name: 'account_kind',
    property: 'accountKind',
    column: 'account_kind',
    kind: 'text',
    isNullable: true,
    source: ({ principal }: Caller) => principal.kind,
    version: ${NEXT},
  },
`,
  },
  {
    file: 'packages/store/src/migrations/index.ts',
    before: /,?\s*\];\s*$/,
    insert: `, { name: '8000-audit-account-kind', sql: 'alter table audit_log add column account_kind text;' }`,
  },
];
const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let workspace: EditedWorkspace;
let log: Parameters<typeof appendSealed>[0];
const masterKey = randomBytes(32);
const seed = deriveAuditKey(masterKey);

const superuser = <R extends object>(text: string): Promise<R[]> => runAsSuperuser(testDatabase.superuserUrl, text);

/** Appends records with the edited code, and verifies and reads the whole log with it. */
const continueEdited = async (records: number) => {
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
    createEditedWorkspace(EDITS, scripts),
    createOldLog({ masterKey, sealedMs, write }),
  ]);
  const [tenant] = await superuser<{ id: string }>('select id from tenants');
  log = { url: testDatabase.apiUrl, tenantId: tenant?.id ?? '', signer: createAuditSigner(seed) };
}, 240_000);
afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

it('adds an audit field by changing two files besides its docs', () => {
  expect(new Set(EDITS.map(({ file }) => file)).size).toBe(2);
});

it('logs sealed before a field was added still verify, and records sealed since have the field in exports and searches', async () => {
  await appendSealed(log);
  const before = await verifySealed(log);
  expect(before).toMatchObject({ records: 4, finding: undefined });
  const { verdict, exported, found } = await continueEdited(2);
  expect(verdict).toEqual({ tenantId: log.tenantId, records: 6, checkpoints: 4 });
  const versions = exported.map((row: { v?: number; account_kind?: string }) => [row.v, row.account_kind]);
  const old = [undefined, undefined];
  expect(versions).toEqual([old, old, old, [LAST, undefined], [NEXT, 'user'], [NEXT, 'user']]);
  const kinds = found.map((row: { account_kind: string | null }) => row.account_kind);
  expect(kinds).toEqual([null, null, null, null, 'user', 'user']);
});

it('finds a change of the new field', async () => {
  await superuser(`update audit_log set account_kind = 'client' where account_kind is not null`);
  expect((await continueEdited(0)).verdict.finding).toMatchObject({ kind: 'altered', sequence: 5 });
});
