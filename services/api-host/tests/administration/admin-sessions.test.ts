import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  type Admin,
  adminOf,
  adminTest,
  auditRecords,
  get,
  type LoggedIn,
  logInAs,
  SEED_PASSWORD,
} from '@sluice/testkit/fixtures';
import { postJson, refresh, requestClientToken } from '@sluice/testkit/requests';

const fixture = adminTest();

const sidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;
const list = (query = '', { ask }: Admin = fixture.admin) => ask({ path: `/sessions${query}` });
const end = (sid: string, { ask }: Admin = fixture.admin) => ask({ method: 'DELETE', path: `/sessions/${sid}` });

describe('GET /admin/sessions', () => {
  it('lists the open sessions of the tenant, newest first, in pages', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const { body: tokens } = await requestClientToken(test.url, test.acme.tenantName);
    const newest = await logInAs(test, ['steward'], test.acme);
    const answer = await list();
    expect([answer.status, answer.body.next_page_token]).toEqual([200, undefined]);
    expect(answer.body.data.slice(0, 2)).toEqual([
      {
        id: sidOf(newest.idToken),
        kind: 'user',
        account_id: newest.id,
        user: newest.email,
        issuer: null,
        client: null,
        created_ts: expect.any(Number),
        expires_ts: expect.any(Number),
        current: false,
      },
      expect.objectContaining({ id: sidOf(tokens.access_token), kind: 'client', user: 'etl' }),
    ]);
    const ids = answer.body.data.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(sidOf(otherTenantAdmin.idToken));
    const current = answer.body.data.filter((each: { current: boolean }) => each.current);
    expect(current).toEqual([expect.objectContaining({ id: sidOf(admin.idToken), user: admin.email })]);
    const paged: string[] = [];
    for (let query = '?size=1'; ; ) {
      const page = await list(query);
      paged.push(...page.body.data.map(({ id }: { id: string }) => id));
      if (page.body.next_page_token === undefined) break;
      query = `?size=1&page_token=${page.body.next_page_token}`;
    }
    expect(paged).toEqual(ids);
    expect(await auditRecords(test, answer)).toEqual([
      { action: 'READ_SESSIONS', target: test.acme.tenantName, user_name: admin.email, metadata: { size: 100 } },
    ]);
  });

  it('returns 403 without admin, and 400 for bad input and the token of another admin', async () => {
    await fixture.expectDenied([{ path: '/sessions' }]);
    expect((await list('?size=0')).status).toBe(400);
    const { body } = await list('?size=1');
    const other = await adminOf(fixture.test, fixture.test.acme);
    const answer = await list(`?page_token=${body.next_page_token}`, other);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_page_token']);
    const filtered = await list(`?account_id=${other.id}&page_token=${body.next_page_token}`);
    expect([filtered.status, filtered.body.error]).toEqual([400, 'invalid_page_token']);
  });

  it('lists the sessions of one account, and returns the same 404 for an account of another tenant and an unknown one', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const user = await logInAs(test, ['steward'], test.acme);
    const answer = await list(`?account_id=${user.id}`);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      [expect.objectContaining({ id: sidOf(user.idToken), user: user.email })],
    ]);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'READ_SESSIONS',
        target: user.email,
        user_name: admin.email,
        metadata: { size: 100, account_id: user.id },
      },
    ]);
    for (const id of [otherTenantAdmin.id, randomUUID()]) {
      const { status, body } = await list(`?account_id=${id}`);
      expect([status, body.message]).toEqual([404, 'The tenant has no user or service account with this id.']);
    }
    expect((await list('?account_id=none')).status).toBe(400);
  });
});

describe('DELETE /admin/sessions/{id}', () => {
  it('ends a session immediately and records it, and returns 409 afterwards', async () => {
    const { test, admin } = fixture;
    const user = await logInAs(test, ['analyst'], test.acme);
    expect((await get(test, user, '/catalog')).status).toBe(200);
    const answer = await end(sidOf(user.idToken));
    expect(answer.status).toBe(204);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'END_SESSION',
        target: user.email,
        user_name: admin.email,
        metadata: { session_id: sidOf(user.idToken) },
      },
    ]);
    expect((await get(test, user, '/catalog')).status).toBe(401);
    const again = await end(sidOf(user.idToken));
    expect([again.status, again.body.message]).toEqual([409, 'The session has already ended.']);
  });

  it('returns the same 404 for a session of another tenant, an unknown id and an invalid one, and 403 without admin', async () => {
    const { admin, otherTenantAdmin } = fixture;
    for (const answer of [
      await end(sidOf(admin.idToken), otherTenantAdmin),
      await end(randomUUID()),
      await end('none'),
      await end('%2e%2e%2f'),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'The tenant has no session with this id.']);
    }
    await fixture.expectDenied([{ method: 'DELETE', path: `/sessions/${sidOf(admin.idToken)}` }]);
    expect((await list()).status).toBe(200);
  });
});

describe('POST /admin/sessions/end', () => {
  const endAll = (accountId: unknown, { ask }: Admin = fixture.admin) =>
    ask({ method: 'POST', path: '/sessions/end', body: { account_id: accountId } });
  const isAccepted = async (user: LoggedIn): Promise<boolean> => (await get(fixture.test, user, '/me')).status === 200;

  it('ends all sessions of an account with their refresh tokens, in one record', async () => {
    const { test, admin } = fixture;
    const [user, bystander] = [await logInAs(test, ['analyst'], test.acme), await logInAs(test, [], test.acme)];
    const login = { email: user.email, password: SEED_PASSWORD };
    const { body: other } = await postJson(`${test.url}/auth/login/${test.acme.tenantName}`, login);
    const answer = await endAll(user.id);
    expect([answer.status, answer.body]).toEqual([200, { ended_count: 2 }]);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'END_SESSIONS',
        target: user.email,
        user_name: admin.email,
        metadata: { account_id: user.id, ended_count: 2 },
      },
    ]);
    expect((await refresh(test.url, other.refresh_token, test.acme.tenantName)).status).toBe(400);
    expect([await isAccepted(user), await isAccepted(bystander), await isAccepted(admin)]).toEqual([false, true, true]);
    expect((await endAll(user.id)).body).toEqual({ ended_count: 0 });
  });

  it('ends all sessions of the tenant but that of the request, and none of another tenant', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const user = await logInAs(test, ['analyst'], test.acme);
    const answer = await endAll(null);
    expect(answer.status).toBe(200);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'END_SESSIONS',
        target: test.acme.tenantName,
        user_name: admin.email,
        metadata: { ended_count: answer.body.ended_count },
      },
    ]);
    expect([await isAccepted(user), await isAccepted(admin), await isAccepted(otherTenantAdmin)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await list()).body.data).toEqual([expect.objectContaining({ id: sidOf(admin.idToken), current: true })]);
  });

  it('returns 404 for an account of another tenant, 400 without one, and 403 without admin', async () => {
    const { admin, otherTenantAdmin } = fixture;
    for (const id of [admin.id, randomUUID()]) expect((await endAll(id, otherTenantAdmin)).status).toBe(404);
    for (const id of [undefined, 'none', 7]) expect((await endAll(id)).status).toBe(400);
    await fixture.expectDenied([{ method: 'POST', path: '/sessions/end', body: { account_id: null } }]);
    expect(await isAccepted(admin)).toBe(true);
  });
});
