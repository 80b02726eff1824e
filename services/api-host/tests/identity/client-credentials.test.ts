import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMarkdownTables, send } from '@sluice/testkit';
import { SECRET, startTestHost, type TestHost } from '@sluice/testkit/hosts';
import {
  basicHeader,
  login,
  postForm,
  postJson,
  refresh,
  requestClientToken,
  secretOf,
} from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const url = (tenant = 'acme') => `${test.url}/auth/${tenant}/oauth2/token`;
const form = (fields: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  client_id: 'etl',
  client_secret: secretOf('acme'),
  ...fields,
});

describe('POST /auth/{tenant}/oauth2/token succeeds', () => {
  it('returns an access token with its own session, and no refresh token', async () => {
    const { status, body, headers } = await requestClientToken(test.url);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(headers['cache-control']).toBe('no-store');
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({ token_use: 'access', sub: test.acme.clientId });
    const again = decodeJwt((await requestClientToken(test.url)).body.access_token);
    expect(again['sid']).not.toBe(claims['sid']);
  });

  it('accepts either of two valid secrets', async () => {
    expect((await postForm(url(), form({ client_secret: `old ${SECRET}` }))).status).toBe(200);
  });

  it('accepts HTTP Basic, form-encoded or plain (RFC 6749 section 2.3.1)', async () => {
    const grant = { grant_type: 'client_credentials' };
    const encoded = basicHeader('etl', encodeURIComponent(secretOf('acme')));
    for (const authorization of [encoded, basicHeader('etl', secretOf('acme'))]) {
      expect((await postForm(url(), grant, { authorization })).status).toBe(200);
    }
  });

  it('ignores unknown parameters', async () => {
    expect((await postForm(url(), form({ audience: 'x', unknown: 'y' }))).status).toBe(200);
  });

  it('records ISSUE_TOKEN', async () => {
    const { headers } = await requestClientToken(test.url);
    const records = await test.rows('select action, user_name from audit_log where request_id = $1', [
      headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'ISSUE_TOKEN', user_name: 'etl' }]);
  });
});

describe('POST /auth/{tenant}/oauth2/token rejects (RFC 6749 section 5.2)', () => {
  it('an empty grant_type like a missing one (section 3.1)', async () => {
    const { status, body } = await postForm(url(), form({ grant_type: '' }));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it.each(['password', 'implicit', 'Client_Credentials'])('grant_type %p', async (grant_type) => {
    const { status, body } = await postForm(url(), form({ grant_type }));
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
  });

  it('a wrong secret, an unknown client and one of another tenant alike', async () => {
    const countFailed = async (): Promise<number> =>
      (await test.rows(`select 1 from audit_log where action = 'LOGIN_FAILED'`)).length;
    const before = await countFailed();
    const answers = [
      await postForm(url(), form({ client_secret: 'wrong' })),
      await postForm(url(), form({ client_id: 'nobody' })),
      await postForm(url('globex'), form()),
      await postForm(url(), { grant_type: 'client_credentials' }, { authorization: basicHeader('etl', 'wrong') }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([401, answers[0]?.body]);
    expect(answers[0]?.body.error).toBe('invalid_client');
    expect(answers[3]?.headers['www-authenticate']).toMatch(/^Basic/);
    expect((await countFailed()) - before).toBe(4);
  });

  it('no secret with 401, and two with 400', async () => {
    expect((await postForm(url(), { grant_type: 'client_credentials', client_id: 'etl' })).body.error).toBe(
      'invalid_client',
    );
    const both = await postForm(url(), form(), { authorization: basicHeader('etl', secretOf('acme')) });
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['a repeated parameter', 'grant_type=client_credentials&client_id=etl&client_id=etl&client_secret=x'],
    ['no grant type', 'client_id=etl&client_secret=x'],
  ])('%s with 400', async (_name, text) => {
    const { status, body } = await postForm(url(), text);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  it('a secret in the query string, with 400', async () => {
    const { status, body } = await postForm(`${url()}?client_secret=${secretOf('acme')}`, form());
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('JSON with 415, GET with 405, an unknown tenant with 404', async () => {
    expect((await postJson(url(), form())).status).toBe(415);
    const got = await send(url());
    expect([got.status, got.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect((await postForm(url('nobody'), form())).status).toBe(404);
  });
});

describe('the claims of a token', () => {
  it('are exactly those of docs/api-guide.md, for every kind of token and login', async () => {
    const guide = await readFile(new URL('../../../../docs/api-guide.md', import.meta.url), 'utf8');
    const listed = parseMarkdownTables(guide)
      .flat()
      .flatMap(({ Claim = '' }) => /^`(\w+)`$/.exec(Claim)?.[1] ?? []);
    expect(listed).toHaveLength(12);
    const first = (await login(test.url)).body;
    const next = (await refresh(test.url, first.refresh_token)).body;
    for (const token of [first.id_token, first.access_token, next.id_token, next.access_token]) {
      expect(Object.keys(decodeJwt(token)).sort()).toEqual([...listed].sort());
    }
    const { body } = await requestClientToken(test.url);
    const ofClient = listed.filter((claim) => claim !== 'email');
    expect(Object.keys(decodeJwt(body.access_token)).sort()).toEqual(ofClient.sort());
  });
});
