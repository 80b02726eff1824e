import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { createDatabase } from '@sluice/store/database';
import { createAccountStore, createAuthStatusStore, createTenantStore } from '@sluice/store/identity';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { ensureDemoAccounts } from './accounts.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.dispose());

const ISSUER = 'http://127.0.0.1:8082';
const ensure = () => ensureDemoAccounts({ databaseUrl: test.apiUrl, host: '127.0.0.1', issuer: ISSUER });

describe('ensureDemoAccounts', () => {
  it('throws and creates nothing when a host listens beyond the loopback', async () => {
    await expect(ensureDemoAccounts({ databaseUrl: test.apiUrl, host: '0.0.0.0', issuer: ISSUER })).rejects.toThrow(
      /loopback only/,
    );
    await using database = createDatabase({ url: test.apiUrl });
    expect(await createTenantStore(database).list()).toEqual([]);
  });

  it('creates both tenants and all accounts with their credentials, and with a role for the admin only', async () => {
    await ensure();
    await using database = createDatabase({ url: test.apiUrl });
    const authStatus = createAuthStatusStore(database);
    const passwords = createPasswords();
    for (const [tenant, email, roles] of [
      ['acme', 'admin@acme.example', ['admin']],
      ['acme', 'steward@acme.example', []],
      ['acme', 'analyst@acme.example', []],
      ['acme', 'auditor@acme.example', []],
      ['globex', 'admin@globex.example', ['admin']],
      ['globex', 'analyst@globex.example', []],
    ] as const) {
      const found = await authStatus.ofUser(tenant, email);
      expect(found?.account).toMatchObject({ name: email, roles, disabled: false });
      expect(await passwords.verify(found?.secretHashes ?? [], 'sluice-demo')).toBe(true);
    }
    for (const [tenant, clientId] of [
      ['acme', 'acme-etl'],
      ['globex', 'globex-etl'],
    ] as const) {
      const found = await authStatus.ofClient(tenant, clientId);
      expect(found?.account).toMatchObject({ name: clientId, roles: [] });
      expect(await passwords.verify(found?.secretHashes ?? [], 'sluice-demo-secret')).toBe(true);
    }
  });

  it('links only the admins to the identity provider', async () => {
    await ensure();
    await using database = createDatabase({ url: test.apiUrl });
    const linked = await database.acrossTenants((transaction) =>
      transaction.query(
        `select u.email, i.issuer, i.subject from user_identities i join users u on u.id = i.user_id order by u.email`,
      ),
    );
    expect(linked).toEqual(
      ['admin@acme.example', 'admin@globex.example'].map((email) => ({ email, issuer: ISSUER, subject: email })),
    );
  });

  it('keeps a changed password and removed roles', async () => {
    await ensure();
    await using database = createDatabase({ url: test.apiUrl });
    const tenant = await createTenantStore(database).findByName('acme');
    const accounts = createAccountStore(database);
    const tenantId = tenant?.id ?? '';
    await accounts.putUser({ tenantId, email: 'analyst@acme.example', passwordHash: 'changed', roles: [] });
    await ensure();
    const found = await createAuthStatusStore(database).ofUser('acme', 'analyst@acme.example');
    expect(found?.secretHashes).toEqual(['changed']);
    expect(found?.account?.roles).toEqual([]);
  });
});
