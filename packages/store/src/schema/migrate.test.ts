import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { schemaSteps } from '../migrations/index.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  test = await createEmptyDatabase();
  await migrate(settings());
  empty = await createEmptyDatabase();
}, 120_000);
afterAll(async () => {
  await test.dispose();
  await empty.dispose();
});

const settings = ({ ownerUrl, apiRole, streamRole } = test) => ({ ownerUrl, apiRole, streamRole });

describe('migrate', () => {
  it('creates the schema once, with any number of concurrent processes', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(settings(empty))));
    await using owner = createDatabase({ url: empty.ownerUrl });
    const done = await owner.withoutTenant((transaction) =>
      transaction.query<{ name: string }>('select name from knex_migrations order by id'),
    );
    expect(done.map(({ name }) => name)).toEqual(schemaSteps.map(({ name }) => name));
  });

  it('continues after a process that died while it migrated', async () => {
    await using owner = createDatabase({ url: test.ownerUrl });
    await owner.withoutTenant((transaction) => transaction.query('update knex_migrations_lock set is_locked = 1'));
    await migrate(settings());
    await using api = createDatabase({ url: test.apiUrl });
    expect(await createTenantStore(api).list()).toEqual([]);
  });

  it('revokes a right that was granted manually', async () => {
    await using owner = createDatabase({ url: test.ownerUrl });
    await owner.withoutTenant((transaction) =>
      transaction.query(
        `grant delete on audit_log to ${test.apiRole.name}; grant select on signing_keys to ${test.streamRole.name}`,
      ),
    );
    await migrate(settings());
    await using stream = createDatabase({ url: test.streamUrl });
    await expect(
      stream.withoutTenant((transaction) => transaction.query('select 1 from signing_keys')),
    ).rejects.toThrow('permission denied');
  });

  it('never reads a temporary table of a serving role as the owner', async () => {
    await using api = createDatabase({ url: test.apiUrl });
    const dropped = api.withoutTenant(async (transaction) => {
      await transaction.query('create temporary table audit_retention as select 1::bigint as kept_ms');
      await transaction.query(`select drop_audit_month((now() - interval '1 month')::date)`);
    });
    await expect(dropped).rejects.toThrow('is kept still');
  });

  it('has audit partitions for this month and the next two, and rows go there', async () => {
    await using owner = createDatabase({ url: test.ownerUrl });
    const partitions = await owner.withoutTenant((transaction) =>
      transaction.query<{ name: string }>(
        `select relname as name from pg_class where relname ~ '^audit_log_\\d{4}_\\d{2}$' and relkind = 'r' order by 1`,
      ),
    );
    const month = (ahead: number) => {
      const now = new Date();
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
      return `audit_log_${first.toISOString().slice(0, 7).replace('-', '_')}`;
    };
    expect(partitions.map(({ name }) => name)).toEqual([0, 1, 2].map(month));
  });

  it('is service_unavailable when the database cannot be reached', async () => {
    await expect(migrate({ ...settings(), ownerUrl: 'postgres://x:y@127.0.0.1:1/z' })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});
