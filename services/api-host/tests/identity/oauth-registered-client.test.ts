import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import type { AskAsAdmin } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { createPkce, openRequest, postToken, redeem, signIn, startAuthorizationServer, who } from './oauth-requests.ts';
import {
  identityOf,
  logInProgram,
  obtainProgramCode,
  type ProgramRegistry,
  programRegistry,
  redeemAs,
  requestOfProgram,
  WEB_REDIRECT_URI,
} from './registered-programs.ts';

let test: TestHost;
let ask: AskAsAdmin;
let register: ProgramRegistry['register'];
beforeAll(async () => {
  test = await startAuthorizationServer();
  const registry = await programRegistry(test);
  ({ register } = registry);
  ({ ask } = registry.admin);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(name)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const expectRefused = ({ status, body, headers }: ReceivedResponse, error: string, code = 400): void => {
  expect([status, body]).toEqual([code, { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }]);
  expect(headers['cache-control']).toBe('no-store');
};
const { challenge } = createPkce();

describe('a confidential program', () => {
  it('logs in with its secret in the form or by HTTP Basic', async () => {
    const program = await register();
    const answer = await logInProgram(test, program);
    expect(answer.status).toBe(200);
    expect((await who(test, answer.body.access_token)).body).toMatchObject({ user: 'ann@example.com' });
    const obtained = await obtainProgramCode(test, program);
    const byBasic = await redeem(
      test,
      obtained,
      { client_id: undefined, redirect_uri: program.redirectUri },
      { headers: basic(program.clientId, program.secret ?? '') },
    );
    expect(byBasic.status).toBe(200);
  });

  it('is refused without its secret, and with a wrong, an old or a foreign one; the code still works', async () => {
    const [program, other] = [await register(), await register()];
    const obtained = await obtainProgramCode(test, program);
    const wrong = [undefined, 'x', other.secret ?? '', `${program.secret}x`, ''];
    for (const client_secret of wrong)
      expectRefused(await redeemAs(test, program, obtained, { client_secret }), 'invalid_client', 401);
    const byBasic = await redeem(test, obtained, { client_id: undefined }, { headers: basic(program.clientId, 'x') });
    expectRefused(byBasic, 'invalid_client', 401);
    expect(byBasic.headers['www-authenticate']).toMatch(/^Basic /);
    const twice = { headers: basic(program.clientId, program.secret ?? '') };
    expectRefused(await redeem(test, obtained, identityOf(program), twice), 'invalid_request');
    const { body } = await ask({ method: 'POST', path: `/oauth-clients/${program.id}/secret` });
    expectRefused(await redeemAs(test, program, obtained), 'invalid_client', 401);
    expect((await redeemAs(test, program, obtained, { client_secret: body.client_secret })).status).toBe(200);
  });

  it('must wait after five wrong secrets, each with a record; the right one works at any time', async () => {
    const program = await register();
    const obtained = await obtainProgramCode(test, program);
    const answers: ReceivedResponse[] = [];
    for (let guess = 0; guess < 8; guess += 1)
      answers.push(await redeemAs(test, program, obtained, { client_secret: `guess ${guess}` }));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(answers.at(-1)?.headers['retry-after']).toMatch(/^\d+$/);
    const records = await test.rows(
      `select action, user_name, metadata from audit_log where target = $1 and action = 'LOGIN_FAILED'`,
      [program.clientId],
    );
    expect(records).toEqual(
      Array(5).fill({ action: 'LOGIN_FAILED', user_name: 'unknown', metadata: { method: 'program_secret' } }),
    );
    expect((await redeemAs(test, program, obtained)).status).toBe(200);
  });

  it('needs PKCE too', async () => {
    const program = await register();
    const jar = await signIn(test);
    const parameters = requestOfProgram(program, challenge, { code_challenge: undefined });
    const { headers } = await openRequest(test, parameters, { jar });
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_request');
    const obtained = await obtainProgramCode(test, program);
    expectRefused(await redeemAs(test, program, obtained, { code_verifier: 'x'.repeat(43) }), 'invalid_grant');
  });

  it('refreshes and revokes with its secret only', async () => {
    const program = await register();
    const { body } = await logInProgram(test, program);
    const refresh = (fields: object) =>
      postToken(test, { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...fields });
    expectRefused(await refresh({ client_id: program.clientId }), 'invalid_client', 401);
    const next = await refresh(identityOf(program));
    expect(next.status).toBe(200);
    const revoke = (fields: object) =>
      postForm(`${test.url}/auth/acme/oauth2/revoke`, { token: next.body.access_token, ...fields });
    expectRefused(await revoke({ client_id: program.clientId }), 'invalid_client', 401);
    expect((await revoke(identityOf(program))).status).toBe(200);
    expect((await who(test, body.access_token)).status).toBe(401);
  });

  it('logs a device in with its secret only', async () => {
    const program = await register();
    const begin = (fields: Record<string, string>) =>
      postForm(`${test.url}/auth/acme/oauth2/device_authorization`, fields);
    expectRefused(await begin({ client_id: program.clientId }), 'invalid_client', 401);
    const begun = await begin(identityOf(program));
    expect(begun.status).toBe(200);
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.body.device_code };
    expectRefused(await postToken(test, { ...grant, client_id: program.clientId }), 'invalid_client', 401);
    expectRefused(await postToken(test, { ...grant, ...identityOf(program) }), 'authorization_pending');
    expectRefused(await postToken(test, { ...grant, ...identityOf(await register()) }), 'invalid_grant');
  });
});

describe('a public program', () => {
  it.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['http://[::1]/callback', 'http://[::1]:51004/callback'],
    ['com.example.app:/callback', 'com.example.app:/callback'],
    ['https://spa.example.com/callback', 'https://spa.example.com/callback'],
  ])('registered for %s gets its code at %s', async (registered, redirectUri) => {
    const program = await register({ type: 'public', redirect_uris: [registered] });
    const jar = await signIn(test);
    const parameters = requestOfProgram(program, challenge, { redirect_uri: redirectUri });
    const page = await openRequest(test, parameters, { jar });
    expect(page.status).toBe(200);
    const goesTo = /^https/.test(registered) ? `The login goes to ${new URL(redirectUri).origin}.` : 'on this computer';
    expect(page.text).toContain(goesTo);
    const source = registered.startsWith('com.') ? 'com.example.app:' : new URL(redirectUri).origin;
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${source};`);
    const obtained = await obtainProgramCode(test, { ...program, redirectUri });
    expect((await redeemAs(test, { ...program, redirectUri }, obtained)).status).toBe(200);
  });

  it('has no secret', async () => {
    const program = await register({ type: 'public' });
    const obtained = await obtainProgramCode(test, program);
    expectRefused(await redeemAs(test, program, obtained, { client_secret: 'x' }), 'invalid_client', 401);
  });
});

describe('a program that is not the one that got the code', () => {
  it('is refused, and so is the same client id in another tenant', async () => {
    const [program, other] = [await register(), await register()];
    const obtained = await obtainProgramCode(test, program);
    expectRefused(await redeemAs(test, other, obtained), 'invalid_grant');
    const inGlobex = await redeem(
      test,
      obtained,
      { ...identityOf(program), redirect_uri: program.redirectUri },
      { tenant: 'globex' },
    );
    expectRefused(inGlobex, 'invalid_client', 401);
    const page = await openRequest(test, requestOfProgram(program, challenge), { tenant: 'globex' });
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect((await redeemAs(test, program, obtained)).status).toBe(200);
  });

  it('cannot send the response to an address of its own', async () => {
    const program = await register();
    for (const redirect_uri of [`${WEB_REDIRECT_URI}/x`, 'https://evil.example/', 'http://127.0.0.1/callback']) {
      const { status, headers } = await openRequest(test, requestOfProgram(program, challenge, { redirect_uri }));
      expect([status, headers.location]).toEqual([400, undefined]);
    }
  });
});

describe('the scopes of a program', () => {
  it('are the default, and the limit of what it gets', async () => {
    const program = await register({ scopes: ['query:run', 'admin'] });
    const { body } = await logInProgram(test, program);
    expect(body.scope).toBe('query:run');
    expect((await who(test, body.access_token)).body.permissions).toEqual(['query:run']);
    const jar = await signIn(test);
    for (const scope of ['datamap:read', 'query:run datamap:read', 'openid', 'profile']) {
      const { headers } = await openRequest(test, requestOfProgram(program, challenge, { scope }), { jar });
      const response = new URL(headers.location ?? '').searchParams;
      expect([response.get('error'), response.get('iss')]).toEqual(['invalid_scope', `${test.url}/auth/acme`]);
    }
    const device = { ...identityOf(program), scope: 'datamap:read' };
    expectRefused(await postForm(`${test.url}/auth/acme/oauth2/device_authorization`, device), 'invalid_scope');
  });

  it('end the sessions and codes that go beyond them when they change', async () => {
    const program = await register();
    const [wide, narrow] = [
      (await logInProgram(test, program)).body,
      (await logInProgram(test, program, { scope: 'query:run' })).body,
    ];
    const obtained = await obtainProgramCode(test, program);
    const path = `/oauth-clients/${program.id}`;
    const changed = await ask({ method: 'PUT', path, body: { scopes: ['query:run'] } });
    expect([changed.status, changed.body.session_count]).toEqual([200, 1]);
    expect((await who(test, wide.access_token)).status).toBe(401);
    expect((await who(test, narrow.access_token)).status).toBe(200);
    expectRefused(await redeemAs(test, program, obtained), 'invalid_grant');
    const refresh = { grant_type: 'refresh_token', refresh_token: wide.refresh_token, ...identityOf(program) };
    expectRefused(await postToken(test, refresh), 'invalid_grant');
  });
});

describe('a program that is removed', () => {
  it('loses its sessions, codes and devices at once', async () => {
    const program = await register();
    const { body } = await logInProgram(test, program);
    const obtained = await obtainProgramCode(test, program);
    expect((await ask({ method: 'DELETE', path: `/oauth-clients/${program.id}` })).status).toBe(204);
    expect((await who(test, body.access_token)).status).toBe(401);
    expectRefused(await redeemAs(test, program, obtained), 'invalid_client', 401);
    // The same client id again is another program.
    const again = await register({ client_id: program.clientId });
    expectRefused(await redeemAs(test, again, obtained), 'invalid_grant');
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...identityOf(again) };
    expectRefused(await postToken(test, refresh), 'invalid_grant');
  });
});
