import { randomBytes } from 'node:crypto';
import { createPasswords } from '@sluice/auth';
import type { Tenant, TenantSettings } from '@sluice/contract';
import { createDatabase } from '@sluice/store/database';
import { createAccountStore, createTenantStore } from '@sluice/store/identity';
import { FIXTURE_TIMEOUTS } from './test-database.ts';

export interface BuiltUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export interface BuiltClient {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
}

interface TenantInput {
  readonly name?: string;
  readonly settings?: TenantSettings;
}

interface UserInput {
  readonly email?: string;
  readonly password?: string;
  /** Default: analyst. */
  readonly roles?: readonly string[];
}

interface ClientInput {
  readonly clientId?: string;
  readonly secret?: string;
  /** Default: service. */
  readonly roles?: readonly string[];
}

/** Creates accounts in the database. Names that are not given are random, so that tests can share a database. */
export interface AccountBuilders extends AsyncDisposable {
  tenant(input?: TenantInput): Promise<Tenant>;
  user(tenant: Tenant, input?: UserInput): Promise<BuiltUser>;
  client(tenant: Tenant, input?: ClientInput): Promise<BuiltClient>;
}

/** The cheapest parameters that argon2 accepts, because a test may log in a hundred times. */
const CHEAP = { memoryKib: 8, passes: 1 };

const unique = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

export function createAccountBuilders(apiUrl: string): AccountBuilders {
  const database = createDatabase({ url: apiUrl, poolMax: 2, applicationName: 'sluice-testkit', ...FIXTURE_TIMEOUTS });
  const tenants = createTenantStore(database);
  const accounts = createAccountStore(database);
  const passwords = createPasswords(CHEAP);
  return {
    tenant: ({ name = unique('tenant'), settings = {} } = {}) => tenants.create({ name, settings }),
    async user(
      tenant,
      { email = `${unique('user')}@${tenant.name}.example`, password = unique('password'), roles = ['analyst'] } = {},
    ) {
      const passwordHash = await passwords.hash(password);
      const id = await accounts.putUser({ tenantId: tenant.id, email, passwordHash, roles });
      return { id, email, password };
    },
    async client(tenant, { clientId = unique('client'), secret = unique('secret'), roles = ['service'] } = {}) {
      const secretHashes = [await passwords.hash(secret)];
      const id = await accounts.putClient({ tenantId: tenant.id, clientId, secretHashes, roles });
      return { id, clientId, secret };
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
