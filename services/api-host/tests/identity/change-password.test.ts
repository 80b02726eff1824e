import { describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import {
  adminTest,
  get,
  HOSTILE_VALUES,
  type LoggedIn,
  logInAs,
  logInWith,
  NEW_PASSWORD,
  recordsOf,
  SEED_PASSWORD,
} from '@sluice/testkit/fixtures';
import { postJson, refresh, requestClientToken } from '@sluice/testkit/requests';
import { countOf } from './guesses.ts';

const fixture = adminTest();

const newUser = (): Promise<LoggedIn> => logInAs(fixture.test, ['analyst'], fixture.test.acme);
const change = ({ idToken }: Pick<LoggedIn, 'idToken'>, body: unknown) =>
  postJson(`${fixture.test.url}/me/change-password`, body, { idtoken: idToken });
const replace = (user: Pick<LoggedIn, 'idToken'>, current: string, next = NEW_PASSWORD) =>
  change(user, { current_password: current, new_password: next });
const logIn = ({ email }: LoggedIn, password: string) => logInWith(fixture.test, { email, password });
const failedLogins = ({ email }: LoggedIn) =>
  fixture.test.rows<{ metadata: object }>(
    `select metadata from audit_log where action = 'LOGIN_FAILED' and user_name = $1`,
    [email],
  );

describe('POST /me/change-password', () => {
  it('replaces the password, keeps this session, ends the others, and records it', async () => {
    const { test } = fixture;
    const user = await newUser();
    const { body: other } = await logIn(user, SEED_PASSWORD);
    const bystander = await newUser();
    const answer = await replace(user, SEED_PASSWORD);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await recordsOf(test, answer)).toEqual([
      ['CHANGE_PASSWORD', user.email, { user_id: user.id, ended_sessions: 1 }],
    ]);
    expect((await logIn(user, SEED_PASSWORD)).status).toBe(401);
    expect((await logIn(user, NEW_PASSWORD)).status).toBe(200);
    expect((await get(test, user, '/me')).body).toMatchObject({ user: user.email, has_password: true });
    expect((await send(`${test.url}/me`, { headers: { idtoken: other.id_token } })).status).toBe(401);
    expect((await refresh(test.url, other.refresh_token, test.acme.tenantName)).status).toBe(400);
    expect((await get(test, bystander, '/me')).status).toBe(200);
    const logged = test.logLines.join('');
    expect(logged).toContain('password_changed');
    expect(logged).not.toContain(NEW_PASSWORD);
  });

  it('rejects a wrong current password as an error of its field, and changes nothing', async () => {
    const { test } = fixture;
    const user = await newUser();
    const { body: other } = await logIn(user, SEED_PASSWORD);
    const answer = await replace(user, 'not the password');
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      400,
      'invalid_request',
      [{ path: 'body.current_password', message: 'is not the password of this account' }],
    ]);
    expect(await recordsOf(test, answer)).toEqual([['LOGIN_FAILED', user.email, { method: 'password_change' }]]);
    expect((await send(`${test.url}/me`, { headers: { idtoken: other.id_token } })).status).toBe(200);
    expect((await logIn(user, SEED_PASSWORD)).status).toBe(200);
  });

  it('compares at most five of many concurrent guesses of one session, and blocks no other session or login', async () => {
    const user = await newUser();
    const { body: other } = await logIn(user, SEED_PASSWORD);
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => replace(user, `guess ${index}`)));
    expect([countOf(guesses, 400), countOf(guesses, 429)]).toEqual([5, 25]);
    expect(await failedLogins(user)).toHaveLength(5);
    const refused = await replace(user, 'another guess');
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await replace({ idToken: other.id_token }, 'a guess of the other session')).status).toBe(400);
    expect((await logIn(user, 'a guess at the login')).status).toBe(401);
  });

  it('has the rules of invitations for the new password, and checks them before the current one', async () => {
    const user = await newUser();
    for (const [next, message] of [
      ['eleven char', 'new_password must have at least 12 characters'],
      ['x'.repeat(1025), 'new_password must have at most 1024 characters'],
      ['twelve chars\u0007', 'new_password must not contain control characters'],
      [undefined, 'new_password must be a string'],
    ]) {
      const answer = await change(user, { current_password: 'not the password', new_password: next });
      expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'body.new_password', message }]]);
    }
    for (const value of HOSTILE_VALUES) {
      // Some are possible passwords, which count as guesses.
      const { status } = await change(user, { current_password: value, new_password: NEW_PASSWORD });
      expect([400, 429]).toContain(status);
      expect((await change(user, { current_password: 'not the password', new_password: [value] })).status).toBe(400);
    }
    expect((await change(user, { new_password: NEW_PASSWORD })).status).toBe(400);
    expect((await change(user, { current_password: SEED_PASSWORD, new_password: NEW_PASSWORD, x: 1 })).status).toBe(
      400,
    );
    expect((await logIn(user, SEED_PASSWORD)).status).toBe(200);
  });

  it('accepts the shortest and the longest password, in Unicode characters', async () => {
    const user = await newUser();
    const [shortest, longest] = ['ä'.repeat(12), '\u{1f600}'.repeat(1024)];
    expect((await replace(user, SEED_PASSWORD, shortest)).status).toBe(204);
    expect((await replace(user, shortest, longest)).status).toBe(204);
    expect((await logIn(user, longest)).status).toBe(200);
  });

  it('returns 409 with one sentence for a service account', async () => {
    const { test } = fixture;
    const { body } = await requestClientToken(test.url, test.acme.tenantName);
    const answer = await postJson(
      `${test.url}/me/change-password`,
      { current_password: 'x', new_password: NEW_PASSWORD },
      { authorization: `Bearer ${body.access_token}` },
    );
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'A service account has no password: an admin of the tenant changes its secrets.',
    ]);
  });
});
