import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { recordsOf } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import {
  approve,
  createPkce,
  decide,
  hiddenFieldsOf,
  openRequest,
  postToken,
  redeem,
  requestOf,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';
import { type ProgramRegistry, programRegistry } from './registered-programs.ts';

const REDIRECT_URI = 'http://127.0.0.1:47114/callback';
let test: TestHost;
let registry: ProgramRegistry;
let server: Server;
let id: string;
let requests: string[] = [];
let document: Record<string, unknown>;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  id = `http://${host}/client.json`;
  test = await startAuthorizationServer({ CLIENT_DOCUMENT_PRIVATE_HOSTS: host });
  registry = await programRegistry(test);
}, 120_000);
afterAll(async () => {
  server?.close();
  await test?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  document = { client_id: id, client_name: 'Sluice command line', redirect_uris: ['http://127.0.0.1/callback'] };
  requests = [];
  expect((await setting('allowed')).status).toBe(200);
});

const setting = (client_metadata_documents: string) =>
  registry.admin.ask({ method: 'PUT', path: '/oauth-settings', body: { client_metadata_documents } });
const parametersOf = (challenge: string, changes: Record<string, string | undefined> = {}) =>
  requestOf(challenge, { client_id: id, redirect_uri: REDIRECT_URI, ...changes });
const { challenge, verifier } = createPkce();

async function logIn() {
  const location = await approve(test, parametersOf(challenge), { jar: await signIn(test) });
  const code = location.searchParams.get('code') ?? '';
  return await redeem(test, { code, verifier }, { client_id: id, redirect_uri: REDIRECT_URI });
}

describe('a program that a document describes', () => {
  it('logs in, and the page warns of the host that describes it', async () => {
    const page = await openRequest(test, parametersOf(challenge), { jar: await signIn(test) });
    const { host } = new URL(id);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Sluice command line asks to work in acme as ann@example.com.');
    expect(page.text).toContain(
      `<p role="alert">No administrator of your organization knows this program. ${host} describes it`,
    );
    const answer = await logIn();
    expect(answer.status).toBe(200);
    expect((await who(test, answer.body.access_token)).body).toMatchObject({ user: 'ann@example.com' });
    const refresh = { grant_type: 'refresh_token', client_id: id, refresh_token: answer.body.refresh_token };
    const next = await postToken(test, refresh);
    expect(next.status).toBe(200);
    const token = { token: next.body.access_token, client_id: id };
    expect((await postForm(`${test.url}/auth/acme/oauth2/revoke`, token)).status).toBe(200);
    expect((await who(test, next.body.access_token)).status).toBe(401);
  });

  it('is asked for each time: no consent is remembered', async () => {
    expect((await logIn()).status).toBe(200);
    document = { ...document, redirect_uris: ['https://app.example.com/callback'] };
    const parameters = parametersOf(challenge, { redirect_uri: 'https://app.example.com/callback' });
    const jar = await signIn(test);
    await approve(test, parameters, { jar });
    expect((await openRequest(test, parameters, { jar })).status).toBe(200);
  });

  it.each([
    ['an error', { scope: 'everything' }, 'invalid_scope'],
    ['an error of PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a request without a page', { prompt: 'none' }, 'interaction_required'],
  ])('makes this host lead nobody to its addresses by %s: the user reads it', async (_name, changes, error) => {
    document = { ...document, redirect_uris: ['https://evil.example/sign-in'] };
    const parameters = parametersOf(challenge, { redirect_uri: 'https://evil.example/sign-in', ...changes });
    const { status, headers, text } = await openRequest(test, parameters, { jar: await signIn(test) });
    expect([status, headers.location, text.includes(`(${error})`)]).toEqual([400, undefined, true]);
  });

  it('gets the denial of the user', async () => {
    const jar = await signIn(test);
    const page = await openRequest(test, parametersOf(challenge), { jar });
    const denied = await decide(test, { ...hiddenFieldsOf(page), decision: 'deny' }, { jar });
    expect(new URL(denied.headers.location ?? '').searchParams.get('error')).toBe('access_denied');
  });

  it('is announced in the metadata of a tenant that allows it', async () => {
    const metadataOf = async (tenant: string) =>
      (await send(`${test.url}/.well-known/oauth-authorization-server/auth/${tenant}`)).body;
    expect((await metadataOf('acme')).client_id_metadata_document_supported).toBe(true);
    expect((await metadataOf('globex')).client_id_metadata_document_supported).toBe(false);
  });

  it('has no secret, and logs no device in', async () => {
    const jar = await signIn(test);
    const location = await approve(test, parametersOf(challenge), { jar });
    const code = location.searchParams.get('code') ?? '';
    const withSecret = { client_id: id, redirect_uri: REDIRECT_URI, client_secret: 'x' };
    expect((await redeem(test, { code, verifier }, withSecret)).body.error).toBe('invalid_client');
    const begun = await postForm(`${test.url}/auth/acme/oauth2/device_authorization`, { client_id: id });
    expect([begun.status, begun.body.error]).toEqual([400, 'unauthorized_client']);
  });

  it('is bound to its code: another document cannot redeem it', async () => {
    const jar = await signIn(test);
    const location = await approve(test, parametersOf(challenge), { jar });
    const code = location.searchParams.get('code') ?? '';
    const other = { client_id: `${id}?other`, redirect_uri: REDIRECT_URI };
    expect((await redeem(test, { code, verifier }, other)).body.error).toBe('invalid_grant');
  });
});

describe('the document', () => {
  it('is read for a browser with a session only', async () => {
    const { status, headers } = await openRequest(test, parametersOf(challenge));
    expect([status, headers.location]).toEqual([302, expect.stringMatching(/^\/auth\/login\/acme\?/)]);
    const silent = await openRequest(test, parametersOf(challenge, { prompt: 'none' }));
    expect([silent.status, silent.headers.location]).toEqual([400, undefined]);
    await postToken(test, { grant_type: 'refresh_token', client_id: id, refresh_token: 'x' });
    expect(requests).toEqual([]);
  });

  it.each<[string, (valid: Record<string, unknown>) => Record<string, unknown>, string]>([
    ['another client id', (valid) => ({ ...valid, client_id: 'https://app.example.com/client' }), 'client_id'],
    ['a secret', (valid) => ({ ...valid, client_secret: 'x' }), 'client_secret'],
    ['no usable address', (valid) => ({ ...valid, redirect_uris: ['http://evil.example/'] }), 'redirect_uris'],
  ])('with %s leads to a page and no response', async (_name, change, reason) => {
    document = change(document);
    const { status, headers, text } = await openRequest(test, parametersOf(challenge), { jar: await signIn(test) });
    expect([status, headers.location]).toEqual([400, undefined]);
    expect(text).toContain(reason);
  });

  it('that changes between the page and the decision is read again', async () => {
    const jar = await signIn(test);
    const page = await openRequest(test, parametersOf(challenge), { jar });
    document = { ...document, redirect_uris: ['https://app.example.com/callback'] };
    const decided = await decide(test, { ...hiddenFieldsOf(page), decision: 'approve' }, { jar });
    expect([decided.status, decided.headers.location]).toEqual([400, undefined]);
  });

  it.each([
    'https://10.0.0.1/client',
    'https://169.254.169.254/latest',
    'https://localhost/client',
    'http://127.0.0.1:1/c',
  ])('of a private network is not requested: %s', async (address) => {
    const parameters = parametersOf(challenge, { client_id: address });
    const { status, text } = await openRequest(test, parameters, { jar: await signIn(test) });
    expect([status, text.includes('could not be read')]).toEqual([400, true]);
    expect(text).not.toContain('private network');
  });

  it.each(['http://app.example.com/client', 'https://app.example.com', 'https://app.example.com/client#x'])(
    'cannot have the address %s',
    async (address) => {
      const parameters = parametersOf(challenge, { client_id: address });
      const { status, text } = await openRequest(test, parameters, { jar: await signIn(test) });
      expect([status, text.includes('There is no program')]).toEqual([400, true]);
    },
  );
});

describe('GET and PUT /admin/oauth-settings', () => {
  it('refuse documents by default', async () => {
    const { body } = await send(`${test.url}/admin/oauth-settings`, {
      headers: { idtoken: registry.admin.idToken },
    });
    expect(body).toEqual({ client_metadata_documents: 'allowed' });
    await test.rows(`update tenants set settings = settings - 'allowsClientDocuments' where name = 'acme'`);
    expect((await registry.admin.ask({ path: '/oauth-settings' })).body).toEqual({
      client_metadata_documents: 'refused',
    });
    const { status, text } = await openRequest(test, parametersOf(challenge), { jar: await signIn(test) });
    expect([status, text.includes('There is no program')]).toEqual([400, true]);
    expect(requests).toEqual([]);
  });

  it('end the sessions and codes of such programs when they are refused', async () => {
    const { body } = await logIn();
    const location = await approve(test, parametersOf(challenge), { jar: await signIn(test) });
    const answer = await setting('refused');
    const [record] = await recordsOf(test, answer);
    expect(record?.slice(0, 2)).toEqual(['UPDATE_OAUTH_SETTINGS', 'acme']);
    expect(record?.[2]).toMatchObject({
      before: { client_metadata_documents: 'allowed' },
      after: { client_metadata_documents: 'refused' },
      ended_sessions: expect.any(Number),
    });
    expect((await who(test, body.access_token)).status).toBe(401);
    await setting('allowed');
    const code = location.searchParams.get('code') ?? '';
    const late = await redeem(test, { code, verifier }, { client_id: id, redirect_uri: REDIRECT_URI });
    expect(late.body.error).toBe('invalid_grant');
  });

  it('are for admins, take known values, and reject an older version', async () => {
    for (const body of [
      {},
      { client_metadata_documents: true },
      { client_metadata_documents: 'allowed', x: 1 },
      null,
    ]) {
      const { status } = await registry.admin.ask({ method: 'PUT', path: '/oauth-settings', body });
      expect(status).toBe(400);
    }
    const read = await registry.admin.ask({ path: '/oauth-settings' });
    await setting('refused');
    const body = { client_metadata_documents: 'allowed' };
    const ifMatch = read.headers.etag ?? '';
    const late = await registry.admin.ask({ method: 'PUT', path: '/oauth-settings', body, ifMatch });
    expect([late.status, late.body.error]).toEqual([412, 'precondition_failed']);
    const { body: tokens } = await redeemAnn();
    for (const method of ['GET', 'PUT']) {
      const { status } = await send(`${test.url}/admin/oauth-settings`, {
        method,
        headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
        ...(method === 'PUT' ? { body: JSON.stringify(body) } : {}),
      });
      expect(status).toBe(403);
    }
  });
});

/** Returns tokens of ann, an analyst, by the command line. */
async function redeemAnn() {
  const location = await approve(test, requestOf(challenge), { jar: await signIn(test) });
  return await redeem(test, { code: location.searchParams.get('code') ?? '', verifier });
}
