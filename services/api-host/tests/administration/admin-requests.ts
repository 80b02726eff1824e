import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { auditRecords, type LoggedIn, logInAs } from '../catalog/catalog-seed.ts';
import { postJson, type ReceivedResponse, send } from '../hosts/requests.ts';
import { startTestHost, type TestAccounts, type TestHost } from '../hosts/start-test-host.ts';

/** Meets the password rules. */
export const NEW_PASSWORD = 'a password of many characters';

interface AdminRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

export type AskAsAdmin = (request: AdminRequest) => Promise<ReceivedResponse>;

/** Sends a request below /admin with the ID token of `as`. */
export const askAs =
  (test: TestHost, as: Pick<LoggedIn, 'idToken'>): AskAsAdmin =>
  ({ method = 'GET', path, body, ifMatch }) =>
    send(`${test.url}/admin${path}`, {
      method,
      headers: {
        idtoken: as.idToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

export type Admin = LoggedIn & { readonly ask: AskAsAdmin };

export const adminOf = async (test: TestHost, tenant: TestAccounts): Promise<Admin> => {
  const admin = await logInAs(test, ['admin'], tenant);
  return { ...admin, ask: askAs(test, admin) };
};

/** State available to the tests. */
interface AdminTest {
  readonly test: TestHost;
  /** An admin of acme. */
  readonly admin: Admin;
  /** An admin of globex. */
  readonly otherTenantAdmin: Admin;
}

/** Starts one host for all tests of a file; call it at the top level. */
export function adminTest(settings: Record<string, string> = {}): AdminTest {
  let started: AdminTest | undefined;
  const get = (): AdminTest => {
    if (started === undefined) throw new Error('the host starts before the first test');
    return started;
  };
  beforeAll(async () => {
    const test = await startTestHost(settings);
    started = { test, admin: await adminOf(test, test.acme), otherTenantAdmin: await adminOf(test, test.globex) };
  }, 120_000);
  afterAll(async () => await started?.test[Symbol.asyncDispose]());
  return {
    get test() {
      return get().test;
    },
    get admin() {
      return get().admin;
    },
    get otherTenantAdmin() {
      return get().otherTenantAdmin;
    },
  };
}

/** Asserts that each request returns 403 with an audit record for a user with every default role except admin. */
export async function expectForAdminsAlone(test: TestHost, requests: readonly AdminRequest[]): Promise<void> {
  const ask = askAs(test, await logInAs(test, ['analyst', 'auditor', 'service', 'steward'], test.acme));
  for (const request of requests) {
    const answer = await ask(request);
    expect([answer.status, (await recordsOf(test, answer))[0]?.[0]]).toEqual([403, 'ACCESS_DENIED']);
  }
}

export const nameOf = (label: string): string => `${label}-${randomUUID().slice(0, 8)}@example.com`;

export type CreateUser = (body: Record<string, unknown>) => Promise<ReceivedResponse>;

export const createUserBy =
  (ask: AskAsAdmin): CreateUser =>
  (body) =>
    ask({ method: 'POST', path: '/users', body });

export const createWithPasswordBy = async (ask: AskAsAdmin, roles: readonly string[] = ['analyst']) => {
  const email = nameOf('made');
  const { body } = await createUserBy(ask)({ email, roles, password: NEW_PASSWORD });
  return { id: body.id as string, email, password: NEW_PASSWORD };
};

interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const logInWith = (test: TestHost, { email, password }: Credentials, tenantName = 'acme') =>
  postJson(`${test.url}/auth/login/${tenantName}`, { email, password });

/** Action, target and metadata of the records of a request. */
export const recordsOf = async (test: TestHost, answer: ReceivedResponse) =>
  (await auditRecords(test, answer)).map(({ action, target, metadata }) => [action, target, metadata]);

/** Values that must never cause a 5xx at any position of a body. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b@example.com',
  '\ud800',
  'x'.repeat(10_000),
  "'; drop table users; --",
  '%',
  '_',
  '../..',
  'İ@example.com',
];
export const HOSTILE_VALUES: readonly unknown[] = [
  ...HOSTILE_TEXTS,
  null,
  1,
  -1,
  Number.MAX_VALUE,
  true,
  [],
  {},
  [[]],
  ['\0'],
  [null],
];
