import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';
import {
  approve,
  CLIENT,
  createPkce,
  obtainCode,
  openRequest,
  postToken,
  redeem,
  requestOf,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';

const STREAM = 'https://acme-stream.example.com';
let test: TestHost;
beforeAll(async () => {
  test = await startAuthorizationServer({ STREAM_PUBLIC_URL: 'https://{tenant}-stream.example.com' });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const audienceOf = ({ body }: ReceivedResponse) => decodeJwt(body.access_token).aud;
const BOTH = ['sluice-test', 'sluice-test-api'];
const refreshAs = (refreshToken: string, resource?: string) =>
  postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: refreshToken, resource });
const expectInvalidTarget = ({ status, body }: ReceivedResponse): void => {
  expect([status, body]).toEqual([400, { error: 'invalid_target', error_description: expect.any(String) }]);
};

describe('resource', () => {
  it('is both hosts by default', async () => {
    const answer = await redeem(test, await obtainCode(test));
    expect(audienceOf(answer)).toEqual(BOTH);
    const records = await test.rows<{ metadata: object }>('select metadata from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    expect(records[0]?.metadata).not.toHaveProperty('targets');
  });

  it('of the authorization request narrows all tokens of the session', async () => {
    const answer = await redeem(test, await obtainCode(test, { resource: STREAM }));
    expect(audienceOf(answer)).toEqual(['sluice-test']);
    expect((await who(test, answer.body.access_token)).status).toBe(401);
    const next = await refreshAs(answer.body.refresh_token);
    expect(audienceOf(next)).toEqual(['sluice-test']);
    expectInvalidTarget(await refreshAs(next.body.refresh_token, test.url));
    expect(audienceOf(await refreshAs(next.body.refresh_token, STREAM))).toEqual(['sluice-test']);
    const [row] = await test.rows<{ targets: string[] }>('select targets from sessions where sid = $1', [
      decodeJwt(answer.body.access_token)['sid'],
    ]);
    expect(row?.targets).toEqual(['stream']);
  });

  it('of the token request narrows that access token alone', async () => {
    const answer = await redeem(test, await obtainCode(test), { resource: `${test.url}/` });
    expect(audienceOf(answer)).toEqual(['sluice-test-api']);
    expect((await who(test, answer.body.access_token)).status).toBe(200);
    const next = await refreshAs(answer.body.refresh_token);
    expect(audienceOf(next)).toEqual(BOTH);
    expect(audienceOf(await refreshAs(next.body.refresh_token, STREAM))).toEqual(['sluice-test']);
  });

  it('may be given twice, in the request and in the form of the page', async () => {
    const jar = await signIn(test);
    const { verifier, challenge } = createPkce();
    const query = `${new URLSearchParams(requestOf(challenge))}&resource=${STREAM}&resource=${test.url}`;
    const page = await openRequest(test, query, { jar });
    const hidden = page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    const fields = [...hidden].map(([, name = '', value = '']): [string, string] => [name, value]);
    expect(fields.filter(([name]) => name === 'resource')).toHaveLength(2);
    const form = `${new URLSearchParams(fields)}&decision=approve`;
    const decided = await postForm(`${test.url}/auth/acme/oauth2/consent`, form, {
      origin: test.url,
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    });
    const code = new URL(decided.headers.location ?? '').searchParams.get('code') ?? '';
    expect(audienceOf(await redeem(test, { code, verifier }))).toEqual(BOTH);
  });

  it.each([
    '',
    'https://evil.example',
    'https://globex-stream.example.com',
    `${STREAM}/x`,
    `${STREAM}#x`,
    'sluice-test',
    'sluice-test-api',
  ])('that is not the address of a host is invalid_target: %p', async (resource) => {
    const { challenge } = createPkce();
    const jar = await signIn(test);
    const { headers } = await openRequest(test, requestOf(challenge, { resource }), { jar });
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_target');
    const obtained = await obtainCode(test);
    expectInvalidTarget(await redeem(test, obtained, { resource }));
    const answer = await redeem(test, obtained);
    expect(answer.status).toBe(200);
    expectInvalidTarget(await refreshAs(answer.body.refresh_token, resource));
    const device = `${test.url}/auth/acme/oauth2/device_authorization`;
    expectInvalidTarget(await postForm(device, { client_id: CLIENT, resource }));
  });

  it('beyond that of the login is invalid_target, and the code still works', async () => {
    const obtained = await obtainCode(test, { resource: STREAM });
    expectInvalidTarget(await redeem(test, obtained, { resource: test.url }));
    expect((await redeem(test, obtained, { resource: STREAM })).status).toBe(200);
  });

  it('of a device is that of its session', async () => {
    const begun = await postForm(`${test.url}/auth/acme/oauth2/device_authorization`, {
      client_id: CLIENT,
      resource: STREAM,
    });
    const [row] = await test.rows<{ targets: string[] }>(
      'select targets from device_authorizations order by created desc limit 1',
    );
    expect([begun.status, row?.targets]).toEqual([200, ['stream']]);
  });
});

describe('POST /auth/{tenant}/oauth2/revoke', () => {
  it('ends the session of a token that is for the stream host alone', async () => {
    const { body } = await redeem(test, await obtainCode(test), { resource: STREAM });
    const fields = { token: body.access_token, client_id: CLIENT };
    expect((await postForm(`${test.url}/auth/acme/oauth2/revoke`, fields)).status).toBe(200);
    expect((await refreshAs(body.refresh_token)).body.error).toBe('invalid_grant');
  });
});

it('a host that does not know the address of the stream host accepts its own', async () => {
  const alone = await startAuthorizationServer();
  try {
    const { verifier, challenge } = createPkce();
    const jar = await signIn(alone);
    const location = await approve(alone, requestOf(challenge, { resource: alone.url }), { jar });
    const code = location.searchParams.get('code') ?? '';
    expect(audienceOf(await redeem(alone, { code, verifier }))).toEqual(['sluice-test-api']);
    const { headers } = await openRequest(alone, requestOf(challenge, { resource: STREAM }), { jar });
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_target');
  } finally {
    await alone[Symbol.asyncDispose]();
  }
}, 60_000);
