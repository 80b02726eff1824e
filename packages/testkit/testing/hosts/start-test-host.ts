import type { ApiHostOverrides } from '@sluice/api-host';
import { createPasswords } from '@sluice/auth';
import { apiOperations, type CredentialKind, type Operation, type Permission } from '@sluice/contract';
import type { RunningHost } from '@sluice/host-runtime';
import { json, type Route, route } from '@sluice/http';
import { createDatabase, type Database } from '@sluice/store/database';
import { createAccountStore, createTenantStore } from '@sluice/store/identity';
import { createTestDatabase, FIXTURE_TIMEOUTS, SuperuserRows, type TestDatabase } from '@sluice/testkit';
import type { Settings } from './host-environment.ts';
import { createTestLog, dropTestDatabase, PASSWORD_COSTS, startTestApi } from './start-test-api.ts';

export const PASSWORD = 'correct horse: battery';
export const SECRET = 'etl-secret-of-many-characters';
export const AUDIENCE = 'sluice-test';

export interface TestAccounts {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly userId: string;
  readonly clientId: string;
}

export interface TestHost extends AsyncDisposable {
  readonly host: RunningHost;
  readonly url: string;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  readonly acme: TestAccounts;
  readonly globex: TestAccounts;
  /** Every line that the host logged. */
  readonly logLines: string[];
  readonly environment: Settings;
  /** Rows read as superuser, without row-level security. */
  rows<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
}

const whoAmI = (id: string, credentials: readonly CredentialKind[], permission?: Permission): Operation => ({
  id,
  subject: 'health',
  method: 'GET',
  path: `/test/${id}`,
  summary: 'The caller',
  credentials,
  ...(permission === undefined ? {} : { permission }),
  responses: apiOperations.health.responses,
  problems: [],
});

const answerWho = (operation: Operation): Route =>
  route(operation, async ({ principal, tenant }) => {
    const { name, kind, roles, permissions } = principal as unknown as import('@sluice/contract').Principal;
    return json(200, { name, kind, roles, permissions: [...permissions], tenant: tenant?.name });
  });

/** Routes that authenticate as both hosts do, so the shared package is tested in one place. */
const testRoutes: readonly Route[] = [
  answerWho(whoAmI('api', ['idtoken', 'bearer'])),
  answerWho(whoAmI('api-audit', ['idtoken', 'bearer'], 'audit:read')),
  answerWho(whoAmI('stream', ['basic', 'idtoken', 'bearer'], 'query:run')),
];

/** Creates a tenant, unless it exists, with a user and a client. */
export async function createAccounts(database: Database, tenantName: string): Promise<TestAccounts> {
  const passwords = createPasswords(PASSWORD_COSTS);
  const accounts = createAccountStore(database);
  const tenants = createTenantStore(database);
  const { id: tenantId } = (await tenants.findByName(tenantName)) ?? (await tenants.create({ name: tenantName }));
  const userId = await accounts.putUser({
    tenantId,
    email: 'ann@example.com',
    // The same e-mail has another password in each tenant.
    passwordHash: await passwords.hash(`${PASSWORD} ${tenantName}`),
    roles: ['analyst'],
  });
  const clientId = await accounts.putClient({
    tenantId,
    clientId: 'etl',
    secretHashes: [await passwords.hash(`old ${SECRET}`), await passwords.hash(`${SECRET} ${tenantName}`)],
    roles: ['service'],
  });
  return { tenantId, tenantName, userId, clientId };
}

/** Starts the API host on a free port with its own database and the tenants acme and globex. */
export async function startTestHost(
  settings: Settings = {},
  overrides: ApiHostOverrides = {},
  ownDatabase?: TestDatabase,
): Promise<TestHost> {
  const testDatabase = ownDatabase ?? (await createTestDatabase());
  const { log, lines: logLines } = createTestLog();
  const { host, environment } = await startTestApi(
    testDatabase,
    { TOKEN_AUDIENCE: AUDIENCE, ...settings },
    { log, routes: testRoutes, ...overrides },
  );
  const superuser = new SuperuserRows(testDatabase.superuserUrl);
  const database = createDatabase({ url: testDatabase.apiUrl, poolMax: 3, ...FIXTURE_TIMEOUTS });
  const acme = await createAccounts(database, 'acme');
  const globex = await createAccounts(database, 'globex');
  return {
    host,
    url: host.url,
    database,
    testDatabase,
    acme,
    globex,
    logLines,
    environment,
    rows: (text, values) => superuser.rows(text, values),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await superuser[Symbol.asyncDispose]();
      await dropTestDatabase(testDatabase);
    },
  };
}
