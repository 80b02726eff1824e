import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic, login, passwordOf, postForm, postJson, secretOf, send } from '../requests.ts';
import { startTestHost, type TestHost } from '../start-test-host.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const tryLogin = (email: string, password: string) => postJson(`${test.url}/auth/login/acme`, { email, password });
const tryBasic = (email: string, password: string) =>
  send(`${test.url}/test/stream`, { headers: { authorization: basic(email, password) } });
const calm = () => test.rows('delete from login_throttles');
const failures = async (name: string) =>
  (await test.rows(`select 1 from audit_log where action = 'LOGIN_FAILED' and user_name = $1`, [name])).length;

const countOf = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('guesses are throttled', () => {
  it('100 at once reach the password at most 10 times, by login and Basic together', async () => {
    await calm();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? tryLogin : tryBasic)('ann@example.com', `guess ${index}`),
      ),
    );
    expect(countOf(answers, 401)).toBeLessThanOrEqual(10);
    expect(countOf(answers, 401) + countOf(answers, 429)).toBe(100);
    expect(await failures('ann@example.com')).toBe(countOf(answers, 401));
    const right = await login(test.url);
    expect(right.status).toBe(429);
    expect(right.body.error).toBe('too_many_requests');
    expect(Number(right.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await tryBasic('ann@example.com', passwordOf('acme'))).status).toBe(429);
  });

  it('the same wrong password sent many times at once counts each time', async () => {
    await calm();
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryLogin('ann@example.com', 'wrong')));
    expect(countOf(answers, 401)).toBeLessThanOrEqual(10);
    expect(countOf(answers, 429)).toBeGreaterThanOrEqual(20);
  });

  it('an unknown account exactly as a known one', async () => {
    const statuses = async (email: string) => {
      await calm();
      const answers = [];
      for (let index = 0; index < 8; index += 1) answers.push((await tryLogin(email, `guess ${index}`)).status);
      return answers;
    };
    const unknown = await statuses('nobody@example.com');
    expect(unknown).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(await statuses('ann@example.com')).toEqual(unknown);
  });

  it('grows to a minute at most, and ends by itself', async () => {
    await calm();
    for (let index = 0; index < 20; index += 1) {
      await tryLogin('ann@example.com', `guess ${index}`);
      await test.rows('update login_throttles set blocked_until = null');
    }
    const last = await tryLogin('ann@example.com', 'guess');
    expect(last.status).toBe(401);
    const blocked = await login(test.url);
    expect(blocked.headers['retry-after']).toBe('60');
    await test.rows(`update login_throttles set blocked_until = now() - interval '1 ms'`);
    expect((await login(test.url)).status).toBe(200);
  });

  it('one client or person does not block another', async () => {
    await calm();
    for (let index = 0; index < 6; index += 1) await tryLogin('nobody@example.com', `guess ${index}`);
    expect((await login(test.url)).status).toBe(200);
    const fields = { grant_type: 'client_credentials', client_id: 'etl', client_secret: 'wrong' };
    const answers = [];
    for (let index = 0; index < 7; index += 1) {
      const client_secret = `wrong ${index}`;
      answers.push((await postForm(`${test.url}/auth/acme/oauth2/token`, { ...fields, client_secret })).status);
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const right = { ...fields, client_secret: secretOf('acme') };
    expect((await postForm(`${test.url}/auth/acme/oauth2/token`, right)).status).toBe(429);
    expect((await login(test.url)).status).toBe(200);
  });

  it('a whole address after many accounts were tried from it', async () => {
    await calm();
    const answers = [];
    for (let index = 0; index < 105; index += 1) answers.push((await tryLogin(`u${index}@x.test`, 'guess')).status);
    expect(answers.indexOf(429)).toBe(100);
    expect((await login(test.url)).status).toBe(429);
  });
});

describe('the right password is not throttled', () => {
  it('50 at once all succeed, and leave no count behind', async () => {
    await calm();
    const answers = await Promise.all([
      ...Array.from({ length: 25 }, () => login(test.url)),
      ...Array.from({ length: 25 }, () => tryBasic('ann@example.com', passwordOf('acme'))),
    ]);
    expect(countOf(answers, 200)).toBe(50);
    expect(await test.rows('select failures from login_throttles where failures > 0')).toEqual([]);
  });

  it('does not forgive the failures before it', async () => {
    await calm();
    for (let index = 0; index < 4; index += 1) await tryLogin('ann@example.com', `guess ${index}`);
    expect((await login(test.url)).status).toBe(200);
    expect((await tryLogin('ann@example.com', 'guess')).status).toBe(401);
    expect((await login(test.url)).status).toBe(429);
  });
});

describe('nothing secret is written down', () => {
  it('in logs, records or tables', async () => {
    await calm();
    const { body } = await login(test.url);
    const dump = await Promise.all(
      ['audit_log', 'sessions', 'refresh_tokens', 'users', 'clients', 'login_throttles', 'signing_keys'].map((table) =>
        test.rows(`select * from ${table}`),
      ),
    );
    const written = JSON.stringify(dump) + test.logLines.join('');
    expect(test.logLines.length).toBeGreaterThan(10);
    for (const secret of [
      passwordOf('acme'),
      secretOf('acme'),
      body.refresh_token,
      body.id_token.split('.')[2],
      body.access_token.split('.')[2],
      '"d":',
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});
