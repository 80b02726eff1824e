import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type Admin, adminOf, putProvider, SSO_SETTINGS } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { decodeJwt } from 'jose';
import { createKeycloakBrowser, type Place } from './keycloak-browser.ts';

/** Started by `node deploy/components/keycloak.mjs start`. */
// biome-ignore lint/style/noProcessEnv: the server's address depends on the machine
const ISSUER = process.env['SLUICE_TEST_KEYCLOAK'] ?? 'http://127.0.0.1:28180/realms/sluice';

let test: TestHost;
let admin: Admin;

const wish = (more: Record<string, unknown> = {}) => ({
  issuer: ISSUER,
  client_id: 'sluice',
  client_secret: 'sluice-keycloak-secret',
  ...more,
});
const MAPPED = {
  groups_claim: 'groups',
  role_mappings: [
    { value: 'analysts', roles: ['analyst', 'steward'] },
    { value: 'auditors', roles: ['auditor'] },
  ],
};

beforeAll(async () => {
  test = await startTestHost(SSO_SETTINGS);
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());
beforeEach(async () => {
  expect((await putProvider(admin, wish())).status).toBe(200);
});

const loginUrl = (query = '') => `${test.url}/auth/login/acme${query}`;

async function logIn(user: string, browser = createKeycloakBrowser()): Promise<Place> {
  const form = await browser.visit(loginUrl());
  expect(form.url).toContain(ISSUER);
  return browser.fillIn(form, user);
}

const tokensOf = ({ text }: Place) => JSON.parse(text) as { id_token: string; refresh_token: string };
const whoIs = async (idToken: string) => (await send(`${test.url}/test/api`, { headers: { idtoken: idToken } })).body;

describe('single sign-on at Keycloak', () => {
  it('logs in an existing user by the e-mail address that Keycloak has verified', async () => {
    const place = await logIn('ann');
    expect([place.status, place.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await whoIs(tokensOf(place).id_token)).toMatchObject({ name: 'ann@example.com', roles: ['analyst'] });
  });

  it('creates a user where allowed, with the roles of the groups', async () => {
    expect((await logIn('bob')).status).toBe(403);
    await putProvider(admin, wish({ ...MAPPED, create_users: true }));
    const place = await logIn('bob');
    expect(await whoIs(tokensOf(place).id_token)).toMatchObject({ name: 'bob@example.com', roles: ['auditor'] });
  });

  it('sets roles by groups at each login', async () => {
    await putProvider(admin, wish(MAPPED));
    const { id_token: idToken } = tokensOf(await logIn('ann'));
    expect((await whoIs(idToken)).roles).toEqual(['analyst', 'steward']);
  });

  it('rejects an e-mail address that Keycloak has not verified', async () => {
    await putProvider(admin, wish({ create_users: true }));
    const { status, text } = await logIn('mallory');
    expect([status, text]).toEqual([403, expect.stringContaining('not verified')]);
  });

  it('needs one password per browser until the logout, which also ends Keycloak’s session', async () => {
    const browser = createKeycloakBrowser();
    const { id_token: idToken } = tokensOf(await logIn('ann', browser));
    const again = await browser.visit(loginUrl());
    expect((await whoIs(tokensOf(again).id_token)).name).toBe('ann@example.com');
    const after = await browser.visit(`${test.url}/auth/logout/acme`, { headers: { idtoken: idToken } });
    // Keycloak redirected to our login screen, which redirected to its form.
    expect(after.text).toContain('name="password"');
    expect((await send(`${test.url}/test/api`, { headers: { idtoken: idToken } })).status).toBe(401);
  });

  it('redirects to return_to with a cookie that our own page exchanges for tokens', async () => {
    const browser = createKeycloakBrowser();
    const form = await browser.visit(loginUrl('?return_to=/openapi.json'));
    const { url, status } = await browser.fillIn(form, 'ann');
    expect([url, status]).toEqual([`${test.url}/openapi.json`, 200]);
    const tokens = await browser.visit(`${test.url}/auth/session/acme`, { form: {}, headers: { origin: test.url } });
    expect((await whoIs(tokensOf(tokens).id_token)).name).toBe('ann@example.com');
  });

  it('accepts a callback once, and only from the browser that started the login', async () => {
    const browser = createKeycloakBrowser();
    const form = await browser.visit(loginUrl());
    const { url } = await browser.fillIn(form, 'ann', { until: '/auth/callback/' });
    expect((await createKeycloakBrowser().visit(url)).status).toBe(400);
    expect((await browser.visit(url)).status).toBe(200);
    expect((await browser.visit(url)).status).toBe(400);
  });

  it('rejects a token issued by Keycloak', async () => {
    const browser = createKeycloakBrowser();
    const { id_token: idToken } = tokensOf(await logIn('ann', browser));
    const { headers } = await send(`${test.url}/auth/logout/acme`, { headers: { idtoken: idToken } });
    const hint = new URL(headers.location ?? '').searchParams.get('id_token_hint') ?? '';
    expect(decodeJwt(hint).iss).toBe(ISSUER);
    for (const path of ['/test/api', '/test/stream']) {
      expect((await send(`${test.url}${path}`, { headers: { idtoken: hint } })).status).toBe(401);
    }
  });

  it('tells an admin what to correct when the client secret is wrong', async () => {
    await putProvider(admin, wish({ client_secret: 'wrong' }));
    const { status, text } = await logIn('ann');
    expect([status, text]).toEqual([503, expect.stringContaining('client id or secret')]);
  });

  it('rejects a realm that does not exist', async () => {
    const answer = await putProvider(admin, wish({ issuer: ISSUER.replace(/sluice$/, 'other') }));
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.issuer']);
  });
});
