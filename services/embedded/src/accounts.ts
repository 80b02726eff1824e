import { createPasswords, type Passwords } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import { createIdentityRepository } from '@sluice/store/administration';
import { createDatabase, type Database } from '@sluice/store/database';
import { type AccountStore, createAccountStore, createTenantStore, type TenantStore } from '@sluice/store/identity';
import { adminOf, DEMO_TENANTS, type DemoTenant, readDemoAccounts } from './demo/demo-files.ts';
import { StartFailure } from './start-failure.ts';

/** Publicly known, so the demo accounts exist on the loopback only. */
export const DEMO_PASSWORD = 'sluice-demo';
const DEMO_SECRET = 'sluice-demo-secret';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

interface DemoAccountsSettings {
  /** URL with the API host's role. */
  readonly databaseUrl: string;
  /** Address that the hosts listen on. */
  readonly host: string;
  /** Issuer URL of the development identity provider. */
  readonly issuer: string;
}

/**
 * Creates the demo's tenants and the accounts of their files, with publicly known passwords and secrets: a configuration file has
 * none, and the API accepts neither so short a password nor a chosen secret. The files themselves grant the roles, except that of
 * the admin who applies them. New admins are linked to the development identity provider, whose login would ask for the password here
 * otherwise. Existing accounts are left unchanged, including changed passwords.
 */
export async function ensureDemoAccounts({ databaseUrl, host, issuer }: DemoAccountsSettings): Promise<void> {
  if (!LOOPBACK.has(host))
    throw new StartFailure(`The demo accounts are allowed on the loopback only, not on ${host}.`);
  await using database = createDatabase({ url: databaseUrl, poolMax: 2, applicationName: 'sluice-demo' });
  const stores = {
    tenants: createTenantStore(database),
    accounts: createAccountStore(database),
    database,
    passwords: createPasswords(),
    issuer,
  };
  for (const name of DEMO_TENANTS) await ensureTenant(stores, name);
}

interface Stores {
  readonly tenants: TenantStore;
  readonly accounts: AccountStore;
  readonly database: Database;
  readonly passwords: Passwords;
  readonly issuer: string;
}

const ensureTenant = async (stores: Stores, name: DemoTenant): Promise<void> => {
  const tenant = (await stores.tenants.findByName(name)) ?? (await stores.tenants.create({ name }));
  const { users, clientIds } = await readDemoAccounts(name);
  for (const { email } of users) await ensureUser(stores, tenant, { email, isAdmin: email === adminOf(name) });
  for (const clientId of clientIds) await ensureClient(stores, tenant, clientId);
};

const ensureUser = async (
  { accounts, database, passwords, issuer }: Stores,
  { id: tenantId }: Tenant,
  { email, isAdmin }: { readonly email: string; readonly isAdmin: boolean },
): Promise<void> => {
  if ((await accounts.findUserId(tenantId, email)) !== undefined) return;
  const passwordHash = await passwords.hash(DEMO_PASSWORD);
  const userId = await accounts.putUser({ tenantId, email, passwordHash, roles: isAdmin ? ['admin'] : [] });
  // The provider's subject of a person is the e-mail.
  if (isAdmin)
    await database.withTenant(tenantId, (transaction) =>
      createIdentityRepository(transaction, tenantId).link({ issuer, subject: email }, userId),
    );
};

const ensureClient = async (
  { accounts, passwords }: Stores,
  { id: tenantId }: Tenant,
  clientId: string,
): Promise<void> => {
  if ((await accounts.findClientId(tenantId, clientId)) !== undefined) return;
  const secretHashes = [await passwords.hash(DEMO_SECRET)];
  await accounts.putClient({ tenantId, clientId, secretHashes, roles: [] });
};
