import { createAuditSigner, deriveAuditKey } from '@sluice/audit';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { createTestDatabase, runAsSuperuser, type TestDatabase } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import pg from 'pg';
import { sealUnversioned } from './seal-unversioned.ts';

interface OldLogOptions {
  readonly masterKey: Uint8Array;
  /** Time of sealing. */
  readonly sealedMs: number;
  readonly write: (log: Pick<TestHost, 'rows'>) => Promise<unknown>;
}

/** Database with the tenant acme, whose log the previous version wrote and sealed long ago. */
export async function createOldLog({ masterKey, sealedMs, write }: OldLogOptions): Promise<TestDatabase> {
  const testDatabase = await createTestDatabase();
  await using database = createDatabase({ url: testDatabase.apiUrl, poolMax: 1 });
  const { id: tenantId } = await createTenantStore(database).create({ name: 'acme' });
  await write({ rows: (text, values) => runAsSuperuser(testDatabase.superuserUrl, text, values) });
  const superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  try {
    const signer = createAuditSigner(deriveAuditKey(masterKey));
    await sealUnversioned(superuser, { tenantId, signer, now: sealedMs });
  } finally {
    await superuser.end();
  }
  return testDatabase;
}
