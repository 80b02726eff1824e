import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountStore } from '@sluice/store/identity';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postForm, postJson, refresh } from '@sluice/testkit/requests';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const who = (idtoken: string) => send(`${test.url}/test/api`, { headers: { idtoken } });
const firstTokens = async () => (await login(test.url)).body;
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Moves the exchange of a token this many seconds into the past. */
const age = (token: string, seconds: number) =>
  test.rows(`update refresh_tokens set rotated_at = rotated_at - make_interval(secs => $2) where token_hash = $1`, [
    hashOf(token),
    seconds,
  ]);

describe('POST /auth/refresh/{tenant} succeeds', () => {
  it('returns valid new tokens of the same session', async () => {
    const old = await firstTokens();
    const { status, body, headers } = await refresh(test.url, old.refresh_token);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
    expect(body.refresh_token).not.toBe(old.refresh_token);
    expect((await who(body.id_token)).status).toBe(200);
    expect((await who(old.id_token)).status).toBe(200);
  });

  it('accepts a form or JSON, and ignores unknown parameters (RFC 6749 section 3.2)', async () => {
    const { refresh_token } = await firstTokens();
    const url = `${test.url}/auth/refresh/acme`;
    const next = await postJson(url, { refresh_token, scope: 'x' });
    expect(next.status).toBe(200);
    const form = { refresh_token: next.body.refresh_token, grant_type: 'refresh_token' };
    expect((await postForm(url, form)).status).toBe(200);
  });

  it('repeats the same response for the immediate predecessor for 10 s', async () => {
    const { refresh_token } = await firstTokens();
    const [first, second] = [await refresh(test.url, refresh_token), await refresh(test.url, refresh_token)];
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('returns the same successor to 20 concurrent requests', async () => {
    const { refresh_token } = await firstTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(test.url, refresh_token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const next = await refresh(test.url, answers[0]?.body.refresh_token);
    expect(next.status).toBe(200);
  });

  it('stores the repeated response encrypted under the token, and erases it', async () => {
    const { refresh_token } = await firstTokens();
    const { body } = await refresh(test.url, refresh_token);
    const replays = () =>
      test.rows<{ replay: Buffer | null }>('select replay from refresh_tokens where token_hash = $1', [
        hashOf(refresh_token),
      ]);
    const [held] = await replays();
    expect(held?.replay?.includes(body.refresh_token)).toBe(false);
    expect(held?.replay?.includes('eyJ')).toBe(false);
    await age(refresh_token, 11);
    const deadline = Date.now() + 60_000;
    while ((await replays())[0]?.replay !== null && Date.now() < deadline);
    expect((await replays())[0]?.replay).toBeNull();
  });

  it('never extends the session', async () => {
    const { refresh_token } = await firstTokens();
    await test.rows(
      `update sessions set expires = now() + interval '100 seconds'
       where sid = (select sid from refresh_tokens where token_hash = $1)`,
      [hashOf(refresh_token)],
    );
    const { body } = await refresh(test.url, refresh_token);
    expect(body.expires_in).toBeLessThanOrEqual(100);
  });
});

describe('POST /auth/refresh/{tenant} ends the session', () => {
  const refused = (answer: { status: number; body: { error: string } }) =>
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);

  it('when a used token is sent after the grace period', async () => {
    const { refresh_token } = await firstTokens();
    const { body } = await refresh(test.url, refresh_token);
    await age(refresh_token, 11);
    refused(await refresh(test.url, refresh_token));
    refused(await refresh(test.url, body.refresh_token));
    expect((await who(body.id_token)).status).toBe(401);
    const records = await test.rows(`select 1 from audit_log where action = 'REFRESH_TOKEN_REUSED'`);
    expect(records).toHaveLength(1);
  });

  it('when a token older than the immediate predecessor is sent, also within the grace period', async () => {
    const { refresh_token } = await firstTokens();
    const second = await refresh(test.url, refresh_token);
    const third = await refresh(test.url, second.body.refresh_token);
    refused(await refresh(test.url, refresh_token));
    refused(await refresh(test.url, third.body.refresh_token));
  });
});

describe('POST /auth/refresh/{tenant} rejects', () => {
  const refused = async (token: string, tenant = 'acme') => {
    const { status, body, headers } = await refresh(test.url, token, tenant);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    expect(typeof body.error_description).toBe('string');
    expect(headers['cache-control']).toBe('no-store');
  };

  it('an unknown token, and one of another tenant', async () => {
    await refused('unknown');
    await refused((await firstTokens()).refresh_token, 'globex');
  });

  it('after a logout, also within the grace period', async () => {
    const tokens = await firstTokens();
    await refresh(test.url, tokens.refresh_token);
    await send(`${test.url}/auth/logout/acme`, { headers: { idtoken: tokens.id_token } });
    await refused(tokens.refresh_token);
  });

  it('after the end of the session', async () => {
    const { refresh_token } = await firstTokens();
    await test.rows(
      `update sessions set expires = now() where sid = (select sid from refresh_tokens where token_hash = $1)`,
      [hashOf(refresh_token)],
    );
    await refused(refresh_token);
  });

  it('a disabled account, also after it is enabled again', async () => {
    const { refresh_token } = await firstTokens();
    const accounts = createAccountStore(test.database);
    const account = { tenantId: test.acme.tenantId, kind: 'user', id: test.acme.userId } as const;
    await accounts.disable(account);
    await refused(refresh_token);
    await accounts.enable(account);
    await refused(refresh_token);
  });

  it('a missing or repeated parameter with 400 invalid_request', async () => {
    const url = `${test.url}/auth/refresh/acme`;
    for (const form of ['', 'refresh_token=a&refresh_token=b', 'refresh_token=']) {
      const { status, body } = await postForm(url, form);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    }
  });
});
