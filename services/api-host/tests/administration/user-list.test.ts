import { describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { adminTest, createUserBy, createWithPasswordBy, logInWith, NEW_PASSWORD } from '@sluice/testkit/fixtures';
import { refresh } from '@sluice/testkit/requests';

const fixture = adminTest();

const created = (roles?: readonly string[]) => createWithPasswordBy(fixture.admin.ask, roles);
const read = async (id: string) => await fixture.admin.ask({ path: `/users/${id}` });
const lastLogin = async (id: string): Promise<number | null> => (await read(id)).body.last_login_ts;
const loginNoted = (id: string) =>
  until(async () => (await lastLogin(id)) ?? undefined, { what: 'the time of the login' });

describe('the last login of a user', () => {
  it('is the time of the login, and leaves the version of the user as it was', async () => {
    const user = await created();
    const before = await read(user.id);
    expect(before.body.last_login_ts).toBeNull();
    const startedMs = Date.now();
    await logInWith(fixture.test, user);
    const noted = await loginNoted(user.id);
    expect(Math.abs(noted - startedMs)).toBeLessThan(60_000);
    const after = await read(user.id);
    expect([after.headers.etag, after.body.updated_ts, after.body.updated_by]).toEqual([
      before.headers.etag,
      before.body.updated_ts,
      before.body.updated_by,
    ]);
  });

  it('is written by one login in five minutes, also of many at once', async () => {
    const user = await created();
    await Promise.all(Array.from({ length: 8 }, () => logInWith(fixture.test, user)));
    const first = await loginNoted(user.id);
    await logInWith(fixture.test, user);
    expect(await lastLogin(user.id)).toBe(first);
    await fixture.test.rows(`update users set last_login = last_login - interval '6 minutes' where id = $1`, [user.id]);
    await logInWith(fixture.test, user);
    await until(async () => ((await lastLogin(user.id)) ?? 0) >= first || undefined, { what: 'the later login' });
  });

  it('does not change by a refresh, a wrong password or a change of the user', async () => {
    const user = await created();
    const { body: tokens } = await logInWith(fixture.test, user);
    await loginNoted(user.id);
    await fixture.test.rows(`update users set last_login = '2020-01-01' where id = $1`, [user.id]);
    await refresh(fixture.test.url, tokens.refresh_token);
    await logInWith(fixture.test, { ...user, password: 'not the password' });
    await fixture.admin.ask({ method: 'PUT', path: `/users/${user.id}`, body: { roles: ['auditor'] } });
    expect(await lastLogin(user.id)).toBe(Date.UTC(2020, 0, 1));
  });
});

describe('the list of users', () => {
  const word = 'ordered.example';
  const email = (name: string) => `${name}@${word}`;
  const listed = async (query: string) => {
    const { status, body } = await fixture.otherTenantAdmin.ask({ path: `/users?q=${word}&${query}` });
    return [status, body.total, body.data.map((user: { email: string }) => user.email.replace(`@${word}`, ''))];
  };

  it('is sorted by e-mail, creation or last login in both directions, and filtered by state, page by page', async () => {
    const create = createUserBy(fixture.otherTenantAdmin.ask);
    for (const name of ['cleo', 'ada', 'bob', 'dan']) await create({ email: email(name), password: NEW_PASSWORD });
    await create({ email: email('eve') });
    const login = (name: string, day: string) =>
      fixture.test.rows('update users set last_login = $2 where email = $1', [email(name), day]);
    await login('ada', '2026-01-03');
    await login('bob', '2026-01-01');
    await login('dan', '2026-01-02');
    const dan = await fixture.otherTenantAdmin.ask({ path: `/users?q=${email('dan')}` });
    const off = { method: 'PUT', path: `/users/${dan.body.data[0].id}`, body: { disabled: true } };
    expect((await fixture.otherTenantAdmin.ask(off)).status).toBe(200);
    expect(await listed('sort_key=email&sort_value=desc')).toEqual([200, 5, ['eve', 'dan', 'cleo', 'bob', 'ada']]);
    expect(await listed('sort_key=created_ts')).toEqual([200, 5, ['cleo', 'ada', 'bob', 'dan', 'eve']]);
    expect(await listed('sort_key=created_ts&sort_value=desc&size=2')).toEqual([200, 5, ['eve', 'dan']]);
    expect(await listed('sort_key=last_login_ts')).toEqual([200, 5, ['cleo', 'eve', 'bob', 'dan', 'ada']]);
    expect(await listed('sort_key=last_login_ts&sort_value=desc')).toEqual([
      200,
      5,
      ['ada', 'dan', 'bob', 'cleo', 'eve'],
    ]);
    expect(await listed('state=active&sort_key=last_login_ts&from=1&size=1')).toEqual([200, 3, ['bob']]);
    expect(await listed('state=invited')).toEqual([200, 1, ['eve']]);
    expect(await listed('state=disabled')).toEqual([200, 1, ['dan']]);
  });

  it.each([
    ['state=gone', 'state must be one of active, invited, disabled'],
    ['sort_key=roles', 'sort_key must be one of email, created_ts, last_login_ts'],
    ['sort_value=up', 'sort_value must be asc or desc'],
  ])('rejects %s with the values that it takes', async (query, sentence) => {
    const { status, body } = await fixture.admin.ask({ path: `/users?${query}` });
    expect([status, body.details[0].message]).toEqual([400, sentence]);
  });
});
