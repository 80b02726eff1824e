import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenIdProvider, type ReceivedResponse, send, startOpenIdProvider, until } from '@sluice/testkit';
import {
  adminTest,
  browse,
  type CookieJar,
  callbackUrlOf,
  createUserBy,
  createWithPasswordBy,
  HOSTILE_VALUES,
  logInBySso,
  logInWith,
  NEW_PASSWORD,
  nameOf,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';
import { postForm, refresh } from '@sluice/testkit/requests';

const host = adminTest(SSO_SETTINGS);
const HTML = { accept: 'text/html' };
let provider: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider();
});
afterAll(async () => await provider[Symbol.asyncDispose]());
beforeEach(async () => {
  expect((await putProvider(host.admin, providerInput(provider))).status).toBe(200);
});

const personOf = (email: string, more: Record<string, unknown> = {}) => {
  provider.person = { sub: `sub-${randomUUID()}`, email, email_verified: true, ...more };
  return provider.person['sub'] as string;
};
const linksOf = (userId: string) =>
  host.test.rows<{ subject: string }>('select subject from user_identities where user_id = $1', [userId]);
const createUser = (body: Record<string, unknown>) => createUserBy(host.admin.ask)(body);
const logInAtCallback = async (jar: CookieJar, returnTo?: string): Promise<ReceivedResponse> =>
  browse(jar, await callbackUrlOf(host.test, { jar, ...(returnTo === undefined ? {} : { returnTo }) }), HTML);
const tokenOf = ({ text }: ReceivedResponse): string => /name="link" value="([\w-]{43})"/.exec(text)?.[1] ?? '';

interface Confirmation {
  readonly link: string;
  readonly password?: string;
  readonly tenant?: string;
  readonly origin?: string;
}

const confirm = (jar: CookieJar, { link, password = NEW_PASSWORD, tenant = 'acme', origin }: Confirmation) =>
  postForm(
    `${host.test.url}/auth/link/${tenant}`,
    { link, password },
    {
      ...HTML,
      origin: origin ?? host.test.url,
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  );

it('a login at the provider is the last login of its user', async () => {
  await putProvider(host.admin, providerInput(provider, { create_users: true }));
  const email = nameOf('noted');
  personOf(email);
  expect((await logInBySso(host.test)).status).toBe(200);
  const read = async () => (await host.admin.ask({ path: `/users?q=${email}` })).body.data[0].last_login_ts;
  await until(async () => (await read()) ?? undefined, { what: 'the time of the login' });
});

describe('with e-mail domains set by the operator', () => {
  const setDomains = (domains: readonly string[] | null) =>
    host.test.rows('update tenants set email_domains = $2 where id = $1', [
      host.test.acme.tenantId,
      domains === null ? null : JSON.stringify(domains),
    ]);
  afterAll(() => setDomains(null));

  it('another domain is rejected for new users and for linking, and a linked user keeps access', async () => {
    await putProvider(host.admin, providerInput(provider, { create_users: true }));
    const linked = { email: nameOf('linked') };
    const linkedSub = personOf(linked.email);
    expect((await logInBySso(host.test)).status).toBe(200);
    const { id, email } = await createWithPasswordBy(host.admin.ask);
    await setDomains(['corp.example']);

    for (const each of ['new@other.example', email]) {
      personOf(each);
      const answer = await logInBySso(host.test);
      const domain = each.slice(each.indexOf('@') + 1);
      expect([answer.status, answer.body.error, answer.body.message]).toEqual([
        403,
        'access_denied',
        `The e-mail domain ${domain} is not allowed in this tenant. Ask the operator to allow it.`,
      ]);
      expect((await recordsOf(host.test, answer))[0]?.[0]).toBe('LOGIN_FAILED');
    }
    expect(await linksOf(id)).toEqual([]);
    expect(await host.test.rows(`select 1 from users where email = 'new@other.example'`)).toEqual([]);

    personOf('new@corp.example');
    expect((await logInBySso(host.test)).status).toBe(200);
    personOf(linked.email, { sub: linkedSub });
    expect((await logInBySso(host.test)).status).toBe(200);
  });
});

describe('linking an existing account by e-mail address', () => {
  const claims: [unknown][] = [[undefined], [false], [null], ['false'], ['yes'], [1], [['true']]];

  it.each(claims)('is refused with email_verified %j, with a password or an invitation', async (verified) => {
    const invited = (await createUser({ email: nameOf('invited'), roles: [] })).body;
    for (const { id, email } of [invited, await createWithPasswordBy(host.admin.ask)]) {
      personOf(email, { email_verified: verified });
      const answer = await logInBySso(host.test);
      expect([answer.status, answer.body.error, await linksOf(id)]).toEqual([403, 'access_denied', []]);
      expect((await recordsOf(host.test, answer))[0]?.[0]).toBe('LOGIN_FAILED');
    }
  });

  it.each(claims)('is done with email_verified %j where the admin trusts the provider', async (verified) => {
    await putProvider(host.admin, providerInput(provider, { trust_email: true }));
    const { id, email } = await createWithPasswordBy(host.admin.ask);
    const sub = personOf(email, { email_verified: verified });
    expect((await logInBySso(host.test)).status).toBe(200);
    expect(await linksOf(id)).toEqual([{ subject: sub }]);
  });

  it('is rejected where the e-mail address comes from a claim that email_verified does not cover', async () => {
    await putProvider(host.admin, providerInput(provider, { email_claim: 'upn' }));
    const { email } = await createWithPasswordBy(host.admin.ask);
    personOf(email, { upn: email });
    expect((await logInBySso(host.test)).status).toBe(403);
  });

  it('is allowed by a setting that is off by default; its change is audited', async () => {
    const settings = { method: 'GET', path: '/identity-provider' };
    expect((await host.admin.ask(settings)).body.trust_email).toBe(false);
    const applied = await host.admin.ask({
      method: 'POST',
      path: '/apply',
      body: { identity_provider: providerInput(provider, { trust_email: true }) },
    });
    expect(applied.status).toBe(200);
    const [, , metadata] =
      (await recordsOf(host.test, applied)).find(([action]) => action === 'UPDATE_IDENTITY_PROVIDER') ?? [];
    expect(metadata).toMatchObject({ before: { trust_email: false }, after: { trust_email: true } });
    expect((await host.admin.ask(settings)).body.trust_email).toBe(true);
    expect((await putProvider(host.admin, providerInput(provider, { trust_email: 'yes' }))).status).toBe(400);
    expect((await putProvider(host.admin, providerInput(provider))).body.trust_email).toBe(false);
  });
});

describe('linking an account with the permission admin', () => {
  it("shows a page that asks for the account's password, then links and redirects", async () => {
    const { id, email } = await createWithPasswordBy(host.admin.ask, ['analyst', 'admin']);
    const sub = personOf(email);
    const jar: CookieJar = new Map();
    const stopped = await logInAtCallback(jar, '/docs');
    expect([stopped.status, stopped.headers['set-cookie'], await linksOf(id)]).toEqual([403, undefined, []]);
    expect(stopped.text).toContain('action="/auth/link/acme"');
    expect(await recordsOf(host.test, stopped)).toEqual([
      ['LOGIN_FAILED', email, expect.objectContaining({ subject: sub, issuer: provider.issuer })],
    ]);
    const wrong = await confirm(jar, { link: tokenOf(stopped), password: 'wrong' });
    expect([wrong.status, wrong.headers['set-cookie'], await linksOf(id)]).toEqual([401, undefined, []]);
    const linked = await confirm(jar, { link: tokenOf(wrong) });
    expect([linked.status, linked.headers.location]).toEqual([303, '/docs']);
    expect(linked.headers['set-cookie']?.[0]).toContain('sluice_session_acme=');
    expect(await linksOf(id)).toEqual([{ subject: sub }]);
    expect(await recordsOf(host.test, linked)).toEqual([
      ['LOGIN', email, { method: 'single_sign_on', issuer: provider.issuer, linked: true, confirmed_by: 'password' }],
    ]);
    expect((await logInBySso(host.test)).status).toBe(200);
  });

  it('returns the tokens, once, without a return_to', async () => {
    const { email } = await createWithPasswordBy(host.admin.ask, ['admin']);
    personOf(email);
    const jar: CookieJar = new Map();
    const link = tokenOf(await logInAtCallback(jar));
    const linked = await confirm(jar, { link });
    expect([linked.status, linked.body.token_type]).toEqual([200, 'Bearer']);
    expect((await confirm(jar, { link })).status).toBe(400);
  });

  it('names both options in the error for a program, and links nothing', async () => {
    const { id, email } = await createWithPasswordBy(host.admin.ask, ['admin']);
    const sub = personOf(email);
    const { status, body } = await logInBySso(host.test);
    expect([status, body.error, await linksOf(id)]).toEqual([403, 'access_denied', []]);
    expect(body.message).toContain('its password');
    expect(body.message).toContain(`/admin/users/${id}/link-identity`);
    expect(body.message).toContain(sub);
  });

  it('also applies to a role with another name, and to a provider trusted for e-mail', async () => {
    const name = `boss-${randomUUID().slice(0, 8)}`;
    await host.admin.ask({ method: 'POST', path: '/roles', body: { name, permissions: ['admin'] } });
    await putProvider(host.admin, providerInput(provider, { trust_email: true }));
    const { id, email } = await createWithPasswordBy(host.admin.ask, [name]);
    personOf(email);
    expect([(await logInBySso(host.test)).status, await linksOf(id)]).toEqual([403, []]);
  });

  it('rejects a password from another browser, origin, tenant or account, and a token of another kind', async () => {
    const { id, email } = await createWithPasswordBy(host.admin.ask, ['admin']);
    personOf(email);
    const jar: CookieJar = new Map();
    const link = tokenOf(await logInAtCallback(jar));
    const otherJar: CookieJar = new Map();
    const state = new URL(await callbackUrlOf(host.test, { jar: otherJar })).searchParams.get('state') ?? '';
    const refused = [
      await confirm(otherJar, { link }),
      await confirm(new Map(), { link }),
      await confirm(jar, { link: 'x' }),
      await confirm(otherJar, { link: state }),
      await confirm(jar, { link, tenant: 'globex' }),
      await browse(jar, `${host.test.url}/auth/callback/acme?code=x&state=${link}`),
      await confirm(jar, { link }),
    ];
    // The callback has consumed the token, so the last request finds none.
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400]);
    const another = tokenOf(await logInAtCallback(jar));
    const foreign = await confirm(jar, { link: another, origin: 'https://evil.example' });
    expect([foreign.status, await linksOf(id)]).toEqual([403, []]);
  });

  it('counts wrong passwords as every login does', async () => {
    const { email } = await createWithPasswordBy(host.admin.ask, ['admin']);
    personOf(email);
    const jar: CookieJar = new Map();
    const link = tokenOf(await logInAtCallback(jar));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1)
      statuses.push((await confirm(jar, { link, password: 'wrong' })).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it('shows no form to an account without a password', async () => {
    const { body } = await createUser({ email: nameOf('boss'), roles: ['admin'] });
    personOf(body.email);
    const stopped = await logInAtCallback(new Map());
    expect([stopped.status, tokenOf(stopped)]).toEqual([403, '']);
    expect(stopped.text).toContain('by another admin');
  });
});

describe('POST /admin/users/{id}/link-identity', () => {
  const link = (id: string, body: unknown) =>
    host.admin.ask({ method: 'POST', path: `/users/${id}/link-identity`, body });

  it('is the approval of another admin: the next login needs no password, and the invitation ends', async () => {
    const { body } = await createUser({ email: nameOf('boss'), roles: ['admin'] });
    const sub = personOf(body.email);
    const linked = await link(body.id, { subject: sub });
    expect([linked.status, linked.body.email, linked.body.invitation_expires_ts]).toEqual([200, body.email, null]);
    expect(await recordsOf(host.test, linked)).toEqual([
      [
        'LINK_IDENTITY',
        body.email,
        { user_id: body.id, issuer: provider.issuer, before: null, after: { subject: sub } },
      ],
    ]);
    expect((await logInBySso(host.test)).status).toBe(200);
    personOf(body.email);
    expect((await logInBySso(host.test)).status).toBe(403);
  });

  it('replaces the linked identity and ends its sessions', async () => {
    const { id, email } = await createWithPasswordBy(host.admin.ask);
    personOf(email);
    const before = (await logInBySso(host.test)).body;
    expect((await link(id, { subject: 'another' })).status).toBe(200);
    const { status } = await send(`${host.test.url}/test/api`, { headers: { idtoken: before.id_token } });
    expect([status, await linksOf(id)]).toEqual([401, [{ subject: 'another' }]]);
  });

  it('rejects linking a caller to their own account, and an identity that belongs to another user', async () => {
    expect((await link(host.admin.id, { subject: 'me' })).status).toBe(409);
    const [one, other] = [await createWithPasswordBy(host.admin.ask), await createWithPasswordBy(host.admin.ask)];
    const subject = randomUUID();
    expect((await link(one.id, { subject })).status).toBe(200);
    expect([(await link(other.id, { subject })).status, await linksOf(other.id)]).toEqual([409, []]);
  });

  it('needs the permission admin and a configured provider', async () => {
    const { id, email, password } = await createWithPasswordBy(host.admin.ask);
    const path = `/users/${id}/link-identity`;
    await host.expectDenied([{ method: 'POST', path, body: { subject: 'x' } }]);
    const foreign = await host.otherTenantAdmin.ask({ method: 'POST', path, body: { subject: 'x' } });
    expect([foreign.status, (await link(randomUUID(), { subject: 'x' })).status]).toEqual([404, 404]);
    for (const subject of HOSTILE_VALUES.filter((value) => typeof value !== 'string')) {
      expect((await link(id, { subject })).status).toBe(400);
    }
    for (const subject of ['', 'a\0b', '\ud800', 'x'.repeat(256)]) {
      expect((await link(id, { subject })).status).toBe(400);
    }
    await host.admin.ask({ method: 'DELETE', path: '/identity-provider' });
    expect([(await link(id, { subject: 'x' })).status, await linksOf(id)]).toEqual([409, []]);
    expect((await logInWith(host.test, { email, password })).status).toBe(200);
  });
});

describe('sessions from single sign-on', () => {
  const endOf = (email: string) =>
    host.test.rows<{ seconds: number; expires: Date }>(
      `select round(extract(epoch from s.expires - s.created))::int as seconds, s.expires from sessions s
       join users u on u.tenant_id = s.tenant_id and u.id = s.account_id where u.email = $1 order by s.created`,
      [email],
    );

  it('end after 12 hours regardless of refreshes; password sessions end later', async () => {
    const { email, password } = await createWithPasswordBy(host.admin.ask);
    personOf(email);
    const { body } = await logInBySso(host.test);
    const [opened] = await endOf(email);
    expect(opened?.seconds).toBe(12 * 3600);
    const refreshed = await refresh(host.test.url, body.refresh_token);
    expect(refreshed.status).toBe(200);
    expect((await endOf(email))[0]?.expires).toEqual(opened?.expires);
    await logInWith(host.test, { email, password });
    expect((await endOf(email))[1]?.seconds).toBe(7 * 24 * 3600);
    const { headers } = await logInBySso(host.test, { returnTo: '/docs' });
    expect(headers['set-cookie']?.[0]).toContain('; Max-Age=43200;');
  });

  it('cannot be refreshed after their end', async () => {
    const { email } = await createWithPasswordBy(host.admin.ask);
    personOf(email);
    const { body } = await logInBySso(host.test);
    await host.test.rows(
      `update sessions set expires = now() - interval '1 second' where account_id = (select id from users where email = $1)`,
      [email],
    );
    expect((await refresh(host.test.url, body.refresh_token)).body.error).toBe('invalid_grant');
  });
});
