import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { auditRecords, type LoggedIn, logInAs } from '../catalog/catalog-seed.ts';
import { postJson, type ReceivedResponse, send } from '../hosts/requests.ts';
import { startTestHost, type TestAccounts, type TestHost } from '../hosts/start-test-host.ts';

/** Meets the password rules. */
export const NEW_PASSWORD = 'a password of many characters';

export interface AdminRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

export type AskAsAdmin = (request: AdminRequest) => Promise<ReceivedResponse>;

/** Sends a request below `base` with the ID token of `as`. */
export const askAs =
  (test: TestHost, as: Pick<LoggedIn, 'idToken'>, base = '/admin'): AskAsAdmin =>
  ({ method = 'GET', path, body, ifMatch }) =>
    send(`${test.url}${base}${path}`, {
      method,
      headers: {
        idtoken: as.idToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

export type Admin = LoggedIn & { readonly ask: AskAsAdmin };

/** How a resource is reached. The default is a resource below /admin, which requires the permission admin. */
interface AdminAccess {
  readonly base: string;
  /** Roles that may change it. */
  readonly roles: readonly string[];
  /** Roles that may not. */
  readonly deniedRoles: readonly string[];
}

const ADMIN_ACCESS: AdminAccess = {
  base: '/admin',
  roles: ['admin'],
  deniedRoles: ['analyst', 'auditor', 'service', 'steward'],
};

export const adminOf = async (
  test: TestHost,
  tenant: TestAccounts,
  { base, roles }: Pick<AdminAccess, 'base' | 'roles'> = ADMIN_ACCESS,
): Promise<Admin> => {
  const admin = await logInAs(test, roles, tenant);
  return { ...admin, ask: askAs(test, admin, base) };
};

/** State available to the tests. */
export interface AdminTest {
  readonly test: TestHost;
  /** Path below which `ask` sends its requests. */
  readonly base: string;
  /** An admin of acme. */
  readonly admin: Admin;
  /** An admin of globex. */
  readonly otherTenantAdmin: Admin;
  /** Asserts that each request returns 403 with an audit record for a user with every default role that may not send it. */
  expectDenied(requests: readonly AdminRequest[]): Promise<void>;
}

/** Starts one host for all tests of a file; call it at the top level. */
export function adminTest(settings: Record<string, string> = {}, access = ADMIN_ACCESS): AdminTest {
  let started: Pick<AdminTest, 'test' | 'admin' | 'otherTenantAdmin'> | undefined;
  const get = () => {
    if (started === undefined) throw new Error('the host starts before the first test');
    return started;
  };
  beforeAll(async () => {
    const test = await startTestHost(settings);
    const [admin, otherTenantAdmin] = [
      await adminOf(test, test.acme, access),
      await adminOf(test, test.globex, access),
    ];
    started = { test, admin, otherTenantAdmin };
  }, 120_000);
  afterAll(async () => await started?.test[Symbol.asyncDispose]());
  return {
    base: access.base,
    expectDenied: (requests) => expectDenied(get().test, requests, access),
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

async function expectDenied(
  test: TestHost,
  requests: readonly AdminRequest[],
  { base, deniedRoles }: AdminAccess,
): Promise<void> {
  const ask = askAs(test, await logInAs(test, deniedRoles, test.acme), base);
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
