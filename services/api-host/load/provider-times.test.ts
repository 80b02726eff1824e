import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type OpenIdProvider, send, startOpenIdProvider } from '@sluice/testkit';
import { type Admin, adminOf, logInBySso, providerInput, putProvider, SSO_SETTINGS } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { assertWithin } from '@sluice/testkit/requests';

/** A provider has 5 s; the rest is for the host. */
const GIVEN_UP_MS = 6_000;

let test: TestHost;
let admin: Admin;
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  test = await startTestHost(SSO_SETTINGS);
  admin = await adminOf(test, test.acme);
  await putProvider(admin, providerInput(provider));
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

it('a login gets 503 within 6 s when its identity provider does not respond, at every step', async () => {
  provider.faults = { token: () => true };
  await assertWithin({ what: 'token endpoint that hangs', withinMs: GIVEN_UP_MS }, async () => {
    expect((await logInBySso(test)).status).toBe(503);
  });
  provider.faults = { discovery: () => undefined };
  await assertWithin({ what: 'discovery that hangs', withinMs: GIVEN_UP_MS }, async () => {
    expect((await send(`${test.url}/auth/login/acme`)).status).toBe(503);
  });
});
