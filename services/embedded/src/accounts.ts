import { createPasswords, type Passwords } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import {
  type AccountStore,
  createAccountStore,
  createDatabase,
  createTenantStore,
  type TenantStore,
} from '@sluice/store';
import { StartFailure } from './start-failure.ts';

/** The passwords everybody knows; that is why they exist on the loopback only. */
export const DEMO_PASSWORD = 'sluice-demo';
const DEMO_SECRET = 'sluice-demo-secret';

interface DemoTenant {
  readonly name: string;
  /** E-mail to role. */
  readonly users: Readonly<Record<string, string>>;
  readonly clientId: string;
}

const DEMO_TENANTS: readonly DemoTenant[] = [
  {
    name: 'acme',
    users: {
      'admin@acme.example': 'admin',
      'steward@acme.example': 'steward',
      'analyst@acme.example': 'analyst',
      'auditor@acme.example': 'auditor',
    },
    clientId: 'acme-etl',
  },
  {
    name: 'globex',
    users: { 'admin@globex.example': 'admin', 'analyst@globex.example': 'analyst' },
    clientId: 'globex-etl',
  },
];

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

export interface DemoAccountsSettings {
  /** Of the API host's role. */
  readonly databaseUrl: string;
  /** Where the hosts listen. */
  readonly host: string;
}

/** Makes the demo's tenants and accounts that are not there; what is there is left as it is, changed passwords too. */
export async function ensureDemoAccounts({ databaseUrl, host }: DemoAccountsSettings): Promise<void> {
  if (!LOOPBACK.has(host)) throw new StartFailure(`The demo accounts are for the loopback only, not for ${host}.`);
  await using database = createDatabase({ url: databaseUrl, poolMax: 2, applicationName: 'sluice-demo' });
  const stores = {
    tenants: createTenantStore(database),
    accounts: createAccountStore(database),
    passwords: createPasswords(),
  };
  for (const demo of DEMO_TENANTS) await ensureTenant(stores, demo);
}

interface Stores {
  readonly tenants: TenantStore;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
}

const ensureTenant = async (stores: Stores, demo: DemoTenant): Promise<void> => {
  const tenant = (await stores.tenants.findByName(demo.name)) ?? (await stores.tenants.create({ name: demo.name }));
  for (const [email, role] of Object.entries(demo.users)) await ensureUser(stores, tenant, { email, role });
  const tenantId = tenant.id;
  if ((await stores.accounts.findClientId(tenantId, demo.clientId)) !== undefined) return;
  const secretHashes = [await stores.passwords.hash(DEMO_SECRET)];
  await stores.accounts.putClient({ tenantId, clientId: demo.clientId, secretHashes, roles: ['service'] });
};

const ensureUser = async (
  { accounts, passwords }: Stores,
  { id: tenantId }: Tenant,
  { email, role }: { email: string; role: string },
): Promise<void> => {
  if ((await accounts.findUserId(tenantId, email)) !== undefined) return;
  await accounts.putUser({ tenantId, email, passwordHash: await passwords.hash(DEMO_PASSWORD), roles: [role] });
};
