import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { get, logInAs, NEW_PASSWORD, SEED_PASSWORD } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { authorizeProgram, login, postForm, postJson, refresh, requestClientToken } from '@sluice/testkit/requests';
import pg from 'pg';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const WAITING = `
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`;

/**
 * Starts a request while the change is uncommitted and invisible to the look-up, then commits it.
 * @param waiting - part of the statement in which the request waits for the change
 */
async function duringChange(
  change: string,
  enter: () => Promise<ReceivedResponse>,
  waiting = 'for share',
): Promise<ReceivedResponse> {
  const admin = new pg.Client({ connectionString: test.testDatabase.ownerUrl });
  await admin.connect();
  try {
    await admin.query('begin');
    await admin.query(change);
    let isOver = false;
    const entering = enter().finally(() => {
      isOver = true;
    });
    while (!isOver && (await test.rows(WAITING, [`%${waiting}%`])).length === 0) await wait(10);
    await admin.query('commit');
    return await entering;
  } finally {
    await admin.end();
  }
}

const liveSessions = (kind: string) =>
  test.rows('select sid from sessions where account_kind = $1 and revoked_at is null', [kind]);

describe('a secret that is revoked after it was verified', () => {
  it('opens no session of a user', async () => {
    const change = `update users set password_hash = 'another' where id = '${test.acme.userId}'`;
    const { status, body } = await duringChange(change, () => login(test.url));
    expect([status, body.error, await liveSessions('user')]).toEqual([401, 'unauthorized', []]);
  });

  it('is not replaced by its user, whose sessions stay', async () => {
    const user = await logInAs(test, ['analyst'], test.acme);
    const change = `update users set password_hash = 'set by an admin' where id = '${user.id}'`;
    const body = { current_password: SEED_PASSWORD, new_password: NEW_PASSWORD };
    const replace = () => postJson(`${test.url}/me/change-password`, body, { idtoken: user.idToken });
    const answer = await duringChange(change, replace, 'update users set password_hash = $3');
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.current_password']);
    const stored = await test.rows('select password_hash from users where id = $1', [user.id]);
    expect(stored).toEqual([{ password_hash: 'set by an admin' }]);
    expect((await get(test, user, '/me')).status).toBe(200);
  });

  it('opens no session of a service account', async () => {
    const change = `update clients set secret_hashes = '{another}' where id = '${test.acme.clientId}'`;
    const { status, body } = await duringChange(change, () => requestClientToken(test.url));
    expect([status, body.error, await liveSessions('client')]).toEqual([401, 'invalid_client', []]);
  });
});

describe('a session that ends after it was found open', () => {
  const END = 'update sessions set revoked_at = clock_timestamp() where revoked_at is null';
  const createUser = () => logInAs(test, ['analyst'], test.acme);

  it('is not continued by a refresh', async () => {
    const { email } = await createUser();
    const { body } = await postJson(`${test.url}/auth/login/acme`, { email, password: SEED_PASSWORD });
    const answer = await duringChange(END, () => refresh(test.url, body.refresh_token), 'for update of s');
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('lets no program in', async () => {
    const { id, email } = await createUser();
    const form = await authorizeProgram(test.url, { id, email, password: SEED_PASSWORD }, 'query:run');
    const answer = await duringChange(END, () => postForm(`${test.url}/auth/acme/oauth2/token`, form));
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    expect(await test.rows('select 1 from sessions where oauth_client is not null')).toEqual([]);
  });
});
