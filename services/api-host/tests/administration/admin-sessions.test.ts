import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRecords, get, type LoggedIn, logInAs } from '../catalog/catalog-seed.ts';
import { clientToken, send } from '../hosts/requests.ts';
import { startTestHost, type TestHost } from '../hosts/start-test-host.ts';

let test: TestHost;
let admin: LoggedIn;
let analyst: LoggedIn;
let otherTenantAdmin: LoggedIn;
beforeAll(async () => {
  test = await startTestHost({ QUERIES_PER_USER: '6' });
  admin = await logInAs(test, ['admin'], test.acme);
  analyst = await logInAs(test, ['analyst'], test.acme);
  otherTenantAdmin = await logInAs(test, ['admin'], test.globex);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const sidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;
const end = (sid: string, { idToken }: LoggedIn) =>
  send(`${test.url}/admin/sessions/${sid}`, { method: 'DELETE', headers: { idtoken: idToken } });

describe('GET /admin/sessions', () => {
  it('lists the open sessions of the tenant, newest first, in pages', async () => {
    const { body: tokens } = await clientToken(test.url);
    const newest = await logInAs(test, ['steward'], test.acme);
    const answer = await get(test, admin, '/admin/sessions');
    expect([answer.status, answer.body.next_page_token]).toEqual([200, undefined]);
    expect(answer.body.data.slice(0, 2)).toEqual([
      {
        id: sidOf(newest.idToken),
        kind: 'user',
        account_id: newest.id,
        user: newest.email,
        issuer: null,
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
      const page = await get(test, admin, `/admin/sessions${query}`);
      paged.push(...page.body.data.map(({ id }: { id: string }) => id));
      if (page.body.next_page_token === undefined) break;
      query = `?size=1&page_token=${page.body.next_page_token}`;
    }
    expect(paged).toEqual(ids);
    expect(await auditRecords(test, answer)).toEqual([
      { action: 'READ_SESSIONS', target: 'acme', user_name: admin.email, metadata: { size: 100 } },
    ]);
  });

  it('returns 403 without admin, and 400 for bad input and the token of another admin', async () => {
    expect((await get(test, analyst, '/admin/sessions')).status).toBe(403);
    expect((await get(test, admin, '/admin/sessions?size=0')).status).toBe(400);
    const { body } = await get(test, admin, '/admin/sessions?size=1');
    const other = await logInAs(test, ['admin'], test.acme);
    const answer = await get(test, other, `/admin/sessions?page_token=${body.next_page_token}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_page_token']);
  });
});

describe('DELETE /admin/sessions/{id}', () => {
  it('ends a session at once and records it, and returns 409 afterwards', async () => {
    const user = await logInAs(test, ['analyst'], test.acme);
    expect((await get(test, user, '/catalog')).status).toBe(200);
    const answer = await end(sidOf(user.idToken), admin);
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
    const again = await end(sidOf(user.idToken), admin);
    expect([again.status, again.body.message]).toEqual([409, 'The session has already ended.']);
  });

  it('returns the same 404 for a session of another tenant, an unknown id and an invalid one, and 403 without admin', async () => {
    for (const answer of [
      await end(sidOf(admin.idToken), otherTenantAdmin),
      await end(randomUUID(), admin),
      await end('none', admin),
      await end('%2e%2e%2f', admin),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'The tenant has no session with this id.']);
    }
    expect((await end(sidOf(admin.idToken), analyst)).status).toBe(403);
    expect((await get(test, admin, '/admin/sessions')).status).toBe(200);
  });
});
