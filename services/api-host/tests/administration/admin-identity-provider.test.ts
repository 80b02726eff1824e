import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import {
  adminTest,
  HOSTILE_VALUES,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';

const host = adminTest(SSO_SETTINGS);
/** The host is listed, so the reason is not part of the response. */
const UNREACHABLE = 'cannot be reached: ask the operator';
let provider: OpenIdProvider;
let other: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  other = await startOpenIdProvider();
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(async () => {
  provider.faults = {};
  await host.admin.ask({ method: 'DELETE', path: '/identity-provider' });
});

const put = (more: Record<string, unknown> = {}, ifMatch?: string) =>
  putProvider(host.admin, providerInput(provider, more), ifMatch);
const get = () => host.admin.ask({ path: '/identity-provider' });
const apply = (body: unknown) => host.admin.ask({ method: 'POST', path: '/apply', body });

const presented = () => ({
  issuer: provider.issuer,
  client_id: 'sluice',
  has_client_secret: true,
  scopes: ['openid', 'profile', 'email'],
  email_claim: 'email',
  groups_claim: null,
  role_mappings: [],
  trust_email: false,
  create_users: false,
  return_to: [],
});

/** Everything stored about providers, every audit record and every log line. */
const everythingKept = async (): Promise<string> => {
  const tables = ['identity_providers', 'audit_log', 'login_transactions'];
  const rows = await Promise.all(tables.map((table) => host.test.rows(`select t::text as row from ${table} t`)));
  return JSON.stringify(rows) + host.test.logLines.join('');
};

describe('/admin/identity-provider', () => {
  it('needs the permission admin', async () => {
    await host.expectDenied([
      { path: '/identity-provider' },
      { method: 'PUT', path: '/identity-provider', body: providerInput(provider) },
      { method: 'DELETE', path: '/identity-provider' },
    ]);
  });

  it("creates, reads, changes and removes the tenant's provider; each change is audited without the secret", async () => {
    const made = await put();
    expect(made.status).toBe(200);
    const record = {
      ...presented(),
      callback_url: `${host.test.url}/auth/callback/acme`,
      updated_ts: expect.any(Number),
      updated_by: host.admin.email,
    };
    expect(made.body).toEqual(record);
    const read = await get();
    expect([read.body, read.headers['etag']]).toEqual([record, made.headers['etag']]);
    const changed = await put({ client_secret: 'another', create_users: true }, made.headers['etag']);
    expect(changed.body).toMatchObject({ create_users: true });
    expect(changed.headers['etag']).not.toBe(made.headers['etag']);
    const removed = await host.admin.ask({ method: 'DELETE', path: '/identity-provider' });
    expect([removed.status, (await get()).status]).toEqual([204, 404]);
    const target = provider.issuer;
    expect(await recordsOf(host.test, made)).toEqual([
      ['UPDATE_IDENTITY_PROVIDER', target, { before: null, after: presented(), client_secret_changed: true }],
    ]);
    expect(await recordsOf(host.test, read)).toEqual([['READ_IDENTITY_PROVIDER', target, {}]]);
    const after = { ...presented(), create_users: true };
    expect(await recordsOf(host.test, removed)).toEqual([
      ['DELETE_IDENTITY_PROVIDER', target, { before: after, after: null }],
    ]);
    const kept = await everythingKept();
    for (const encoding of ['utf8', 'hex', 'base64'] as const) {
      expect(kept).not.toContain(Buffer.from(CLIENT_SECRET).toString(encoding));
    }
  });

  it('keeps a secret that is not sent, only for the same client id', async () => {
    await put();
    const { client_secret: _secret, ...unnamed } = providerInput(provider);
    const kept = await putProvider(host.admin, unnamed);
    expect([kept.status, kept.body.has_client_secret]).toEqual([200, true]);
    for (const otherTenantAdmin of [
      { ...unnamed, client_id: 'other' },
      { ...unnamed, issuer: other.issuer },
    ]) {
      const answer = await putProvider(host.admin, otherTenantAdmin);
      expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.client_secret']);
    }
    const isPublic = await putProvider(host.admin, { ...unnamed, client_secret: null });
    expect(isPublic.body.has_client_secret).toBe(false);
  });

  it('rejects a lost update', async () => {
    const { headers } = await put();
    await put({ create_users: true });
    expect((await put({}, headers['etag'])).status).toBe(412);
    const removed = await host.admin.ask({
      method: 'DELETE',
      path: '/identity-provider',
      ifMatch: headers['etag'] ?? '',
    });
    expect([removed.status, (await get()).body.create_users]).toEqual([412, true]);
  });

  it('is not visible to another tenant', async () => {
    await put();
    expect((await host.otherTenantAdmin.ask({ path: '/identity-provider' })).status).toBe(404);
    expect((await host.otherTenantAdmin.ask({ method: 'DELETE', path: '/identity-provider' })).status).toBe(404);
  });

  it('rejects unknown roles by location', async () => {
    const mappings = [{ value: 'finance', roles: ['analyst', 'no-such-role'] }];
    const answer = await put({ groups_claim: 'groups', role_mappings: mappings });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.role_mappings[0].roles[1]']);
    expect((await put({ role_mappings: [{ value: 'finance', roles: ['analyst'] }] })).status).toBe(400);
  });

  it('returns 400 and never 5xx for any other body', async () => {
    const keys = [
      'issuer',
      'client_id',
      'scopes',
      'email_claim',
      'role_mappings',
      'return_to',
      'create_users',
      'trust_email',
    ];
    for (const key of keys) {
      for (const value of HOSTILE_VALUES) {
        const { status } = await put({ [key]: value });
        expect([key, value, status < 500]).toEqual([key, value, true]);
      }
    }
  });
});

describe('an issuer that is not usable', () => {
  let server: Server;
  let url: string;
  let answerWith: (response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((_request, response) => answerWith(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const refusalOf = async (issuer: string): Promise<string> => {
    const { status, body } = await putProvider(host.admin, { ...providerInput(provider), issuer });
    expect([status, body.details[0].path]).toEqual([400, 'body.issuer']);
    expect((await get()).status).toBe(404);
    return body.message;
  };

  it.each([
    ['is http', 'http://idp.example.com', 'is not https'],
    ['names no existing host', 'https://no-such-host.invalid', 'cannot be reached'],
    ['is private', 'https://10.0.0.1', 'SSO_PRIVATE_HOSTS'],
    ['is the metadata of a cloud', 'https://169.254.169.254', 'SSO_PRIVATE_HOSTS'],
    ['is loopback by name', 'https://localhost:1', 'SSO_PRIVATE_HOSTS'],
    ['is loopback in IPv6', 'https://[::1]:1', 'SSO_PRIVATE_HOSTS'],
    ['is loopback in disguise', 'https://[::ffff:127.0.0.1]:1', 'SSO_PRIVATE_HOSTS'],
    ['is loopback in octal', 'https://0177.0.0.2', 'SSO_PRIVATE_HOSTS'],
    ['refuses the connection', 'http://127.0.0.1:9', UNREACHABLE],
    ['is a port that browsers do not ask', 'http://127.0.0.1:1', 'cannot be reached'],
    ['has credentials', 'https://user:pass@idp.example.com', 'no credentials'],
    ['has a query', 'https://idp.example.com/?a=b', 'without query'],
    ['is not a URL', 'idp', 'https address'],
  ])('%s: %s', async (_name, issuer, words) => {
    expect(await refusalOf(issuer)).toContain(words);
  });

  it.each([
    [
      'answers HTML',
      'not JSON',
      (response: ServerResponse) => response.setHeader('content-type', 'text/html').end('<p>'),
    ],
    ['answers 404', 'does not return 200', (response: ServerResponse) => response.writeHead(404).end('{}')],
    [
      'leads elsewhere',
      'does not return 200',
      (response: ServerResponse) => response.writeHead(302, { location: provider.issuer }).end(),
    ],
    [
      'answers an empty object',
      'discovery document',
      (response: ServerResponse) => response.setHeader('content-type', 'application/json').end('{}'),
    ],
    [
      'answers more than a mebibyte',
      '1 MiB',
      (response: ServerResponse) => response.setHeader('content-type', 'application/json').end('"'.padEnd(2 ** 21)),
    ],
    ['closes the connection', UNREACHABLE, (response: ServerResponse) => response.destroy()],
  ] as const)('%s', async (_name, words, respond) => {
    answerWith = respond as typeof answerWith;
    expect(await refusalOf(url)).toContain(words);
  });

  it('that does not respond is given up', async () => {
    answerWith = () => undefined;
    expect(await refusalOf(url)).toContain(UNREACHABLE);
  });

  it.each([
    ['names another issuer', { issuer: 'https://other.example.com' }, 'another issuer'],
    ['names itself with a slash more', 'slash', 'use exactly this value'],
    [
      'sends people to what is not https',
      { authorization_endpoint: 'http://idp.example.com/authorize' },
      'is not https',
    ],
    ['sends people to a script', { authorization_endpoint: 'javascript:alert(1)' }, 'is not https'],
    ['has its keys in a private network', { jwks_uri: 'https://192.168.0.1/jwks' }, 'SSO_PRIVATE_HOSTS'],
    ['has no token endpoint', { token_endpoint: undefined }, 'token_endpoint'],
  ] as const)('%s', async (_name, change, words) => {
    provider.faults = {
      discovery: (document) => ({ ...document, ...(change === 'slash' ? { issuer: `${provider.issuer}/` } : change) }),
    };
    expect(await refusalOf(provider.issuer)).toContain(words);
  });
});

describe('the identity provider in a configuration file', () => {
  it('is created, changed, and unchanged when nothing differs, including the secret', async () => {
    const file = { identity_provider: providerInput(provider) };
    const tried = await apply({ ...file, dry_run: true });
    expect([tried.body.created_count, (await get()).status]).toEqual([1, 404]);
    const made = await apply(file);
    expect(made.body.changes).toEqual([
      {
        kind: 'identity_provider',
        name: provider.issuer,
        action: 'create',
        before: null,
        after: presented(),
        invitation: null,
        client_secret: null,
      },
    ]);
    const { headers } = await get();
    const again = await apply(file);
    expect([again.body.unchanged_count, again.body.updated_count]).toEqual([1, 0]);
    expect((await recordsOf(host.test, again)).map(([action]) => action)).toEqual(['APPLY_CONFIGURATION']);
    expect((await get()).headers['etag']).toBe(headers['etag']);
    const changed = await apply({ identity_provider: providerInput(provider, { client_secret: 'another' }) });
    expect([changed.body.updated_count, JSON.stringify(changed.body)]).toEqual([
      1,
      expect.not.stringContaining('"another"'),
    ]);
    expect((await get()).headers['etag']).not.toBe(headers['etag']);
  });

  it('may map groups to roles that the same file creates', async () => {
    const mapping = { groups_claim: 'groups', role_mappings: [{ value: 'finance', roles: ['of-the-file'] }] };
    const answer = await apply({
      roles: [{ name: 'of-the-file', permissions: ['query:run'] }],
      identity_provider: providerInput(provider, mapping),
    });
    expect([answer.status, answer.body.created_count]).toEqual([200, 2]);
  });

  it('is rejected by location when invalid, and nothing is applied', async () => {
    const mapping = { groups_claim: 'groups', role_mappings: [{ value: 'finance', roles: ['no-such-role'] }] };
    const pathsOf = async (wish: unknown) => {
      const { status, body } = await apply({ users: [{ email: 'not@made.example' }], identity_provider: wish });
      return [status, body.details[0].path];
    };
    expect(await pathsOf(providerInput(provider, mapping))).toEqual([
      400,
      'body.identity_provider.role_mappings[0].roles[0]',
    ]);
    expect(await pathsOf({ ...providerInput(provider), issuer: 'http://127.0.0.1:9' })).toEqual([
      400,
      'body.identity_provider.issuer',
    ]);
    expect(await pathsOf({ issuer: provider.issuer, client_id: 'x' })).toEqual([
      400,
      'body.identity_provider.client_secret',
    ]);
    expect(await pathsOf({ no: 'such key' })).toEqual([400, 'body.identity_provider.issuer']);
    expect((await host.admin.ask({ path: '/users?q=not@made.example' })).body.total).toBe(0);
  });
});
