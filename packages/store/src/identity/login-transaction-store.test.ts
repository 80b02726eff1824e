import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createLoginTransactionStore, type LoginTransactionStore } from './login-transaction-store.ts';
import { createTenantStore } from './tenant-store.ts';

let test: TestDatabase;
let api: Database;
let logins: LoginTransactionStore;
let acme: string;
let globex: string;

beforeAll(async () => {
  test = await createTestDatabase();
  api = createDatabase({ url: test.apiUrl });
  acme = (await createTenantStore(api).create({ name: 'acme' })).id;
  globex = (await createTenantStore(api).create({ name: 'globex' })).id;
  logins = createLoginTransactionStore(api);
}, 120_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await test.dispose();
});

const beginLogin = async (lifetimeMs = 60_000) => {
  const of = { tenantId: acme, stateHash: randomBytes(32), cookieHash: randomBytes(32) };
  await logins.begin({ ...of, sealed: Buffer.from('sealed'), address: '192.0.2.1', lifetimeMs });
  return of;
};

describe('a pending login', () => {
  it('is taken by exactly one of many concurrent callbacks', async () => {
    const login = await beginLogin();
    const taken = await Promise.all(Array.from({ length: 10 }, () => logins.take(login)));
    expect(taken.filter((sealed) => sealed !== undefined)).toEqual([Buffer.from('sealed')]);
  });

  it('is not found by another browser or tenant, or after it has expired', async () => {
    const login = await beginLogin();
    expect(await logins.take({ ...login, cookieHash: randomBytes(32) })).toBeUndefined();
    expect(await logins.take({ ...login, tenantId: globex })).toBeUndefined();
    expect(await logins.take(login)).toBeDefined();
    expect(await logins.take(await beginLogin(0))).toBeUndefined();
  });

  it('is removed after it has expired, and not before', async () => {
    const live = await beginLogin();
    await beginLogin(0);
    await logins.deleteExpired();
    expect(await logins.take(live)).toBeDefined();
  });

  it('replaces the oldest of a thousand pending logins of its address', async () => {
    await api.withTenant(acme, (transaction) =>
      transaction.query(
        `insert into login_transactions (tenant_id, state_hash, cookie_hash, sealed, address, expires)
         select $1, sha256(n::text::bytea), '', '', '192.0.2.2', now() + interval '1 minute' from generate_series(1, 1000) n`,
        [acme],
      ),
    );
    const hash = randomBytes(32);
    const login = { tenantId: acme, stateHash: hash, cookieHash: hash, sealed: hash, lifetimeMs: 60_000 };
    await logins.begin({ ...login, address: '192.0.2.2' });
    const counted = await api.withTenant(acme, (transaction) =>
      transaction.query(`select count(*)::int as count from login_transactions where address = '192.0.2.2'`),
    );
    expect(counted).toEqual([{ count: 1000 }]);
    expect(await logins.take(login)).toBeDefined();
  });

  it('does not wait for the logins that a concurrent one displaces, so that many never deadlock', async () => {
    const address = '192.0.2.3';
    await api.withTenant(acme, (transaction) =>
      transaction.query(
        `insert into login_transactions (tenant_id, state_hash, cookie_hash, sealed, address, expires)
         select $1, sha256((n || $2)::bytea), '', '', $2, now() + n * interval '1 minute' from generate_series(1, 1010) n`,
        [acme, address],
      ),
    );
    const hash = randomBytes(32);
    const login = { tenantId: acme, stateHash: hash, cookieHash: hash, sealed: hash, lifetimeMs: 60_000 };
    await api.withTenant(acme, async (transaction) => {
      await transaction.query(
        'select from login_transactions where tenant_id = $1 and address = $2 order by expires limit 5 for update',
        [acme, address],
      );
      await logins.begin({ ...login, address });
    });
    expect(await logins.take(login)).toBeDefined();
  });

  it('and the identity provider cannot be read by the stream host', async () => {
    await using stream = createDatabase({ url: test.streamUrl });
    for (const table of ['login_transactions', 'identity_providers', 'user_identities']) {
      const read = stream.withTenant(acme, (transaction) => transaction.query(`select 1 from ${table}`));
      await expect(read).rejects.toThrow('permission denied');
    }
    const ofSessions = stream.withTenant(acme, (transaction) =>
      transaction.query('select identity_sealed from sessions'),
    );
    await expect(ofSessions).rejects.toThrow('permission denied');
  });
});
