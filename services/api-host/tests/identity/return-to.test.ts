import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOpaqueToken, hashOpaqueToken, sealLogin } from '@sluice/auth';
import { createLoginTransactionStore } from '@sluice/store/identity';
import { CLIENT_ID, type OpenIdProvider, send, startOpenIdProvider } from '@sluice/testkit';
import { adminOf, logInBySso, providerInput, putProvider, SSO_SETTINGS } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postForm } from '@sluice/testkit/requests';
import { ACCEPTED_FORMS, PARTNER, REFUSED_FORMS } from './return-to-forms.ts';

let test: TestHost;
let provider: OpenIdProvider;

/** acme has an identity provider, globex does not. */
beforeAll(async () => {
  provider = await startOpenIdProvider();
  test = await startTestHost(SSO_SETTINGS);
  await test.rows('update tenants set settings = $1', [{ allowedOrigins: [PARTNER] }]);
  provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  expect((await putProvider(await adminOf(test, test.acme), providerInput(provider))).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const queryOf = (returnTo: string): string => `?return_to=${encodeURIComponent(returnTo)}`;
const startLogin = (tenant: string, returnTo: string) => send(`${test.url}/auth/login/${tenant}${queryOf(returnTo)}`);
const signInPage = (returnTo: string) => send(`${test.url}/auth/sign-in/globex${queryOf(returnTo)}`);
const signIn = (returnTo: string) => {
  const fields = { email: 'ann@example.com', password: passwordOf('globex'), return_to: returnTo };
  return postForm(`${test.url}/auth/sign-in/globex`, fields, { origin: test.url });
};

/** Returns from the provider with a login started by another version of this host. */
async function finishLoginOf(returnTo: string) {
  const [state, cookie] = [createOpaqueToken(), createOpaqueToken()];
  const redirectUri = `${test.url}/auth/callback/acme`;
  const underWay = { issuer: provider.issuer, clientId: CLIENT_ID, redirectUri, nonce: createOpaqueToken() };
  await createLoginTransactionStore(test.database).begin({
    tenantId: test.acme.tenantId,
    stateHash: hashOpaqueToken(state),
    cookieHash: hashOpaqueToken(cookie),
    sealed: sealLogin(cookie, { ...underWay, codeVerifier: randomBytes(48).toString('base64url'), returnTo }),
    address: '127.0.0.1',
    lifetimeMs: 60_000,
  });
  return send(`${redirectUri}?code=x&state=${state}`, { headers: { cookie: `sluice_login_acme=${cookie}` } });
}

/** Resolves a redirect as a browser does on a page of this host. */
const resolvedFrom = (path: string, location: string | undefined): string =>
  new URL(location ?? '', `${test.url}${path}`).origin;

describe('return_to', () => {
  it('has at least 60 forms of a wrong address in the table', () => {
    expect(new Set(REFUSED_FORMS).size).toBeGreaterThanOrEqual(60);
  });

  it.each(REFUSED_FORMS.map((form) => [form.slice(0, 60), form]))(
    'returns 400 in every flow for %j',
    async (_name, form) => {
      for (const answer of [
        await startLogin('globex', form),
        await startLogin('acme', form),
        await signInPage(form),
        await signIn(form),
        await finishLoginOf(form),
      ]) {
        expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toEqual([
          400,
          undefined,
          undefined,
        ]);
      }
    },
  );

  it.each(ACCEPTED_FORMS)('leads in every flow from %j to %j', async (form, location) => {
    const origin = form.startsWith('/') ? test.url : PARTNER;
    const own = await startLogin('globex', form);
    expect([own.status, own.headers.location]).toEqual([
      302,
      `/auth/sign-in/globex?${new URLSearchParams({ return_to: location })}`,
    ]);
    expect((await signInPage(location)).status).toBe(200);
    const signedIn = await signIn(form);
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, location]);
    expect(resolvedFrom('/auth/sign-in/globex', signedIn.headers.location)).toBe(origin);
    const back = await logInBySso(test, { returnTo: form });
    expect([back.status, back.headers.location]).toEqual([302, location]);
    expect(resolvedFrom('/auth/callback/acme', back.headers.location)).toBe(origin);
  });

  it('is ignored by logout, under any name', async () => {
    for (const form of [...REFUSED_FORMS, ...ACCEPTED_FORMS.map(([taken]) => taken)]) {
      for (const name of ['return_to', 'post_logout_redirect_uri']) {
        const { headers } = await send(`${test.url}/auth/logout/globex?${new URLSearchParams({ [name]: form })}`);
        expect(headers.location).toBe('/auth/login/globex');
      }
    }
  });
});
