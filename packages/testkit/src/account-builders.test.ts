import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { createDatabase } from '@sluice/store/database';
import { createAuthStatusStore } from '@sluice/store/identity';
import { createAccountBuilders } from './account-builders.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.dispose());

describe('createAccountBuilders', () => {
  it('creates distinct accounts that the hosts can verify', async () => {
    await using build = createAccountBuilders(test.apiUrl);
    await using database = createDatabase({ url: test.streamUrl });
    const tenant = await build.tenant();
    const user = await build.user(tenant);
    const client = await build.client(tenant, { roles: ['admin'] });
    const found = await createAuthStatusStore(database).ofUser(tenant.name, user.email);
    expect(found?.account).toMatchObject({ id: user.id, roles: ['analyst'] });
    expect(await createPasswords().verify(found?.secretHashes ?? [], user.password)).toBe(true);
    expect(client.clientId).not.toBe((await build.client(tenant)).clientId);
    expect((await build.tenant()).name).not.toBe(tenant.name);
  });
});
