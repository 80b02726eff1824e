import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import {
  type Admin,
  adminOf,
  askAs,
  browse,
  type CookieJar,
  logInAs,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';

let test: TestHost;
let provider: OpenIdProvider;
let admin: Admin;
beforeAll(async () => {
  [test, provider] = await Promise.all([startTestHost(SSO_SETTINGS), startOpenIdProvider()]);
  admin = await adminOf(test, test.acme);
  const mappings = [{ value: 'finance', roles: ['analyst'] }];
  const input = providerInput(provider, { groups_claim: 'groups', role_mappings: mappings, create_users: true });
  expect((await putProvider(admin, input)).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]();
  await test?.[Symbol.asyncDispose]();
});
afterEach(() => {
  provider.faults = {};
});

const begin = () => admin.ask({ method: 'POST', path: '/identity-provider/test-login' });

/** Opens the address of a test login in a browser, and follows it through the provider. */
async function follow(url: string, jar: CookieJar = new Map(), headers: Readonly<Record<string, string>> = {}) {
  const html = { accept: 'text/html', ...headers };
  const started = await browse(jar, url, html);
  if (started.status !== 302) return started;
  const atProvider = await browse(new Map(), started.headers.location ?? '');
  return browse(jar, atProvider.headers.location ?? '', html);
}

/** Everything that a login could change. */
const stateOf = async (): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['users', 'user_identities', 'sessions', 'invitations'].map((table) =>
        test.rows(`select * from ${table} where tenant_id = $1 order by 2, 3`, [test.acme.tenantId]),
      ),
    ),
  );

describe('a test login', () => {
  it('shows the claims, their roles and who would be created, and changes nothing', async () => {
    provider.person = { sub: 'new', email: 'new@acme.example', email_verified: true, groups: ['finance', '<b>'] };
    const before = await stateOf();
    const begun = await begin();
    expect(begun.status).toBe(201);
    expect(begun.body).toEqual({
      url: expect.stringMatching(/\/auth\/login\/acme\?test=[\w-]{43}$/),
      expires_ts: expect.any(Number),
    });
    expect(await recordsOf(test, begun)).toEqual([['TEST_IDENTITY_PROVIDER', provider.issuer, {}]]);
    const jar: CookieJar = new Map();
    const shown = await follow(begun.body.url, jar);
    expect(shown.status).toBe(200);
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.text).toContain('Becomes the new user new@acme.example.');
    expect(shown.text).toContain('<dt>Roles that they give</dt><dd>analyst</dd>');
    expect(shown.text).toContain('<dt>groups</dt><dd>[&quot;finance&quot;,&quot;&lt;b&gt;&quot;]</dd>');
    expect([...jar.keys()].filter((name) => name.includes('session'))).toEqual([]);
    expect(await stateOf()).toBe(before);
  });

  it('is shown in the language of the browser', async () => {
    provider.person = { sub: 'new', email: 'new@acme.example', email_verified: true, groups: ['finance'] };
    const { text } = await follow((await begin()).body.url, new Map(), { 'accept-language': 'de-AT,en;q=0.5' });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Wird der neue Benutzer new@acme.example.');
    expect(text).toContain('<dt>Rollen, die sie geben</dt><dd>analyst</dd>');
  });

  it('says why the person could not sign in', async () => {
    provider.person = { sub: 'unverified', email: 'x@acme.example', email_verified: false };
    const shown = await follow((await begin()).body.url);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('The identity provider reports that the e-mail is not verified.');
    expect(shown.text).toContain('<dt>Roles that they give</dt><dd>none</dd>');
  });

  it('works once, and only at the host and tenant at which it began', async () => {
    provider.person = { sub: 'again', email: 'again@acme.example', email_verified: true };
    const { url } = (await begin()).body;
    const elsewhere = await browse(new Map(), url.replace('/acme?', '/globex?'));
    expect(elsewhere.headers.location).not.toContain(provider.issuer);
    expect((await follow(url)).status).toBe(200);
    const again = await follow(url);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('unknown, used or older')]);
    expect((await follow(`${test.url}/auth/login/acme?test=${'x'.repeat(43)}`)).status).toBe(400);
  });

  it('shows a fault of the provider as a sentence, and the claims reach no log', async () => {
    provider.person = {
      sub: 'secret-subject',
      email: 'secret@acme.example',
      email_verified: true,
      note: 'secret-claim',
    };
    provider.faults = { payload: (claims) => ({ ...claims, nonce: 'of another login' }) };
    const failed = await follow((await begin()).body.url);
    expect([failed.status, failed.text]).toEqual([401, expect.stringContaining('role="alert"')]);
    provider.faults = {};
    expect((await follow((await begin()).body.url)).text).toContain('secret-claim');
    const audited = JSON.stringify(
      await test.rows('select * from audit_log where tenant_id = $1', [test.acme.tenantId]),
    );
    for (const text of [audited, test.logLines.join('\n')]) {
      expect(text).not.toContain('secret-claim');
      expect(text).not.toContain('secret-subject');
    }
  });

  it('needs the permission admin, and an identity provider', async () => {
    const request = { method: 'POST', path: '/identity-provider/test-login' };
    const steward = await logInAs(test, ['steward', 'auditor'], test.acme);
    const denied = await askAs(test, steward)(request);
    expect([denied.status, (await recordsOf(test, denied))[0]?.[0]]).toEqual([403, 'ACCESS_DENIED']);
    expect((await (await adminOf(test, test.globex)).ask(request)).status).toBe(404);
  });
});
