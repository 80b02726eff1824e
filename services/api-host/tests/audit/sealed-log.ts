import { type AuditSigner, rowText, trustedKeys, type Verdict } from '@sluice/audit';
import { type AuditRecord, auditOf, type Caller } from '@sluice/contract';
import {
  createAuditChainStore,
  createAuditSealStore,
  createAuditSearchStore,
  createAuditStore,
  openAuditVerification,
} from '@sluice/store/audit';
import { createDatabase, type Database } from '@sluice/store/database';
import { exportRows } from '../../src/use-cases/audit/audit-export-rows.ts';
import { createSealAuditLog } from '../../src/use-cases/audit/seal-audit-log.ts';
import { verifyAuditLog } from '../../src/use-cases/audit/verify-audit-log.ts';

interface SealedLogOptions {
  readonly url: string;
  readonly tenantId: string;
  readonly signer: AuditSigner;
}

const RECORDS_MAX = 100;

const callerOf = (tenantId: string): Caller => ({
  principal: {
    tenant: { id: tenantId, name: 'acme', state: 'active', settings: {} },
    kind: 'user',
    id: tenantId,
    name: 'audrey@example.com',
    roles: [],
    permissions: new Set(),
    authenticatedAtMs: 0,
  },
  requestId: 'request',
  address: '127.0.0.1',
  userAgent: 'test',
});

const loginOf = (tenantId: string): AuditRecord =>
  auditOf(callerOf(tenantId), { action: 'LOGIN', target: 'audrey@example.com', metadata: { big: 1 } });

/** Appends a record of a user, and seals it. */
export async function appendSealed({ url, tenantId, signer }: SealedLogOptions): Promise<void> {
  await using database = createDatabase({ url, poolMax: 1 });
  await createAuditStore(database).append(loginOf(tenantId));
  const seal = createSealAuditLog({
    auditSeals: createAuditSealStore(database),
    signer,
    now: Date.now,
    onCut: () => undefined,
  });
  await seal();
}

/** Returns the verdict on the only tenant. */
export async function verifySealed({ url, signer }: SealedLogOptions): Promise<Verdict | undefined> {
  await using log = await openAuditVerification(url);
  const verdicts = verifyAuditLog({ log, keys: trustedKeys([signer.publicKey]), saved: new Map() });
  return (await verdicts.next()).value ?? undefined;
}

const exportOf = async (database: Database, tenantId: string): Promise<unknown[]> => {
  const rows: unknown[] = [];
  const range = { tenantId, first: 1, last: RECORDS_MAX, filter: {} };
  for await (const batch of exportRows(createAuditChainStore(database), range)) {
    rows.push(...batch.map((row) => JSON.parse(rowText(row))));
  }
  return rows;
};

/** Returns the records of the log by sequence, as exports and as searches show them. */
export async function readSealed({ url, tenantId }: SealedLogOptions) {
  await using database = createDatabase({ url, poolMax: 1 });
  const auditSearch = createAuditSearchStore(database);
  const { snapshot } = await auditSearch.open(tenantId, {});
  const options = { tenantId, filter: {}, snapshot, order: 'asc', size: RECORDS_MAX } as const;
  const { records } = await auditSearch.page(options, () => loginOf(tenantId));
  return { exported: await exportOf(database, tenantId), found: JSON.parse(`[${records}]`) as unknown[] };
}
