import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import {
  type AskAsAdmin,
  adminOf,
  HOSTILE_VALUES,
  type LoggedIn,
  logInWith,
  NEW_PASSWORD,
  recordsOf,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postForm, postJson } from '@sluice/testkit/requests';

let test: TestHost;
let admin: LoggedIn & { ask: AskAsAdmin };

beforeAll(async () => {
  test = await startTestHost({ INVITATION_LIFETIME: '1h' });
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

interface Invited {
  readonly id: string;
  readonly email: string;
  readonly url: string;
  readonly token: string;
  readonly made: ReceivedResponse;
  readonly askedMs: number;
}

const invite = async (roles: readonly string[] = ['analyst']): Promise<Invited> => {
  const email = `invited-${randomUUID().slice(0, 8)}@example.com`;
  const askedMs = Date.now();
  const made = await admin.ask({ method: 'POST', path: '/users', body: { email, roles } });
  return { id: made.body.id, email, ...made.body.invitation, made, askedMs };
};

const address = (tenantName = 'acme') => `${test.url}/auth/invitation/${tenantName}`;
const accept = (token: string, password = NEW_PASSWORD, tenantName = 'acme') =>
  postJson(address(tenantName), { token, password });

/** The response without its request id. */
const outcomeOf = ({ status, body }: ReceivedResponse) => ({ status, error: body.error, message: body.message });

describe('an invitation', () => {
  it('is shown once, and its token sets the password once', async () => {
    const { email, token, url, made, id, askedMs } = await invite();
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ has_password: false, invitation_expires_ts: made.body.invitation.expires_ts });
    expect(url).toBe(`${address()}?token=${token}`);
    expect(made.body.invitation.expires_ts - askedMs).toBeGreaterThan(3_500_000);
    expect(made.body.invitation.expires_ts - askedMs).toBeLessThan(3_700_000);
    expect((await recordsOf(test, made))[0]?.[2]).toMatchObject({ invited: true });
    const read = await admin.ask({ path: `/users/${id}` });
    expect(read.text).not.toContain(token);
    const accepted = await accept(token);
    expect([accepted.status, accepted.body]).toEqual([200, { email, login_url: `${test.url}/auth/login/acme` }]);
    expect(await recordsOf(test, accepted)).toEqual([
      ['ACCEPT_INVITATION', email, { user_id: id, invited_by: admin.email }],
    ]);
    expect((await logInWith(test, { email, password: NEW_PASSWORD })).status).toBe(200);
    const user = (await admin.ask({ path: `/users/${id}` })).body;
    expect([user.has_password, user.invitation_expires_ts]).toEqual([true, null]);
    const again = await accept(token, 'another long password');
    expect(again.status).toBe(404);
    expect((await logInWith(test, { email, password: 'another long password' })).status).toBe(401);
  });

  it('is accepted once under concurrent requests', async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  it('returns the same error when unknown, used, expired, replaced, withdrawn or of another tenant', async () => {
    const [used, expired, replaced, removed, disabled, foreign] = await Promise.all(
      Array.from({ length: 6 }, () => invite()),
    );
    if (!used || !expired || !replaced || !removed || !disabled || !foreign) throw new Error('six were invited');
    await accept(used.token);
    await test.rows(`update invitations set expires = now() - interval '1 second' where user_id = $1`, [expired.id]);
    await admin.ask({ method: 'POST', path: `/users/${replaced.id}/reset-password`, body: {} });
    await admin.ask({ method: 'DELETE', path: `/users/${removed.id}` });
    await admin.ask({ method: 'PUT', path: `/users/${disabled.id}`, body: { disabled: true } });
    const answers = [
      await accept('unknown'),
      ...(await Promise.all([used, expired, replaced, removed, disabled].map(({ token }) => accept(token)))),
      await accept(foreign.token, NEW_PASSWORD, 'globex'),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(outcomeOf(answer)))).size).toBe(1);
    expect(outcomeOf(answers[0] as ReceivedResponse)).toEqual({
      status: 404,
      error: 'not_found',
      message: 'This invitation is unknown, used or expired. Ask for a new one.',
    });
    expect((await accept(foreign.token)).status).toBe(200);
  });

  it('can be replaced after it has expired', async () => {
    const { id, email } = await invite();
    await test.rows(`update invitations set expires = now() - interval '1 second' where user_id = $1`, [id]);
    const { body } = await admin.ask({ method: 'POST', path: `/users/${id}/reset-password`, body: {} });
    expect((await accept(body.invitation.token)).status).toBe(200);
    expect((await logInWith(test, { email, password: NEW_PASSWORD })).status).toBe(200);
  });

  it('is stored only as a digest', async () => {
    const { token } = await invite();
    const dump = JSON.stringify([
      await test.rows('select * from invitations'),
      await test.rows('select * from audit_log'),
    ]);
    expect(dump + test.logLines.join('')).not.toContain(token);
  });
});

describe('the page of an invitation', () => {
  it('is a form without scripts that names the account, and posts the password', async () => {
    const { email, url, token } = await invite();
    const page = await send(url);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.text).toContain(`for ${email}`);
    expect(page.text).toContain(`name="token" value="${token}"`);
    expect(page.text).not.toContain('<script');
    const accepted = await postForm(address(), { token, password: NEW_PASSWORD });
    expect([accepted.status, accepted.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(accepted.text).toContain('/auth/sign-in/acme?return_to=%2Fconsole%2F');
    expect(accepted.headers['set-cookie']).toBeUndefined(); // the form was not from this host
    expect((await logInWith(test, { email, password: NEW_PASSWORD })).status).toBe(200);
  });

  it('signs the browser in, and leads it to the console', async () => {
    const { email, token } = await invite();
    const accepted = await postForm(address(), { token, password: NEW_PASSWORD }, { origin: test.url });
    expect([accepted.status, accepted.headers.location]).toEqual([303, '/console/']);
    const [cookie = ''] = accepted.headers['set-cookie']?.[0]?.split(';') ?? [];
    const session = await send(`${test.url}/auth/session/acme`, {
      method: 'POST',
      headers: { origin: test.url, cookie },
    });
    expect(session.status).toBe(200);
    const me = await send(`${test.url}/me`, { headers: { idtoken: session.body.id_token } });
    expect(me.body.user).toBe(email);
    expect((await recordsOf(test, accepted)).map(([action, user]) => [action, user])).toEqual([
      ['ACCEPT_INVITATION', email],
      ['LOGIN', email],
    ]);
  });

  it('is in the language of the reader, with the focus in the field to fill in', async () => {
    const { url } = await invite();
    const page = await send(url, { headers: { 'accept-language': 'de-AT, en;q=0.5' } });
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Neues Passwort');
    expect(page.text).toMatch(/id="password"[^>]* autofocus/);
  });

  it('reports errors in the language of the reader', async () => {
    const inSpanish = { 'accept-language': 'es-MX' };
    const unknown = await send(`${address()}?token=unknown`, { headers: inSpanish });
    expect([unknown.status, unknown.text.includes('Esta invitación es desconocida')]).toEqual([404, true]);
    const { token } = await invite();
    const other = { token, password: NEW_PASSWORD, email: 'other@example.com' };
    const rejected = await postForm(address(), other, inSpanish);
    expect([rejected.status, rejected.text.includes('No es el correo electrónico invitado.')]).toEqual([400, true]);
  });

  it('reports an invalid invitation in a page, and reflects no input as HTML', async () => {
    for (const token of ['', 'unknown', '"><script>alert(1)</script>']) {
      const pages = [
        await send(`${address()}?token=${encodeURIComponent(token)}`),
        await postForm(address(), { token: token || 'x', password: NEW_PASSWORD }),
      ];
      for (const { status, text } of pages) {
        expect([status, text.includes('unknown, used or expired'), text.includes('<script')]).toEqual([
          404,
          true,
          false,
        ]);
      }
    }
    expect((await send(address())).status).toBe(404);
  });

  it('returns 404 for an unknown tenant, and 403 for a suspended one', async () => {
    expect((await send(address('nobody'))).status).toBe(404);
    const { token } = await invite();
    await test.rows(`update tenants set state = 'suspended' where name = 'acme'`);
    expect((await accept(token)).status).toBe(403);
    await test.rows(`update tenants set state = 'active' where name = 'acme'`);
    expect((await accept(token)).status).toBe(200);
  });
});

describe('invalid requests', () => {
  it('return 400 with every problem, and the invitation stays valid', async () => {
    const { token } = await invite();
    const bodies: [unknown, string[]][] = [
      [{}, ['body.token', 'body.password']],
      [{ token, password: 'short' }, ['body.password']],
      [{ token, password: NEW_PASSWORD, role: 'admin' }, ['body.role']],
      [{ token, password: NEW_PASSWORD, email: 'somebody-else@example.com' }, ['body.email']],
      [{ token, password: NEW_PASSWORD, email: 'no mail' }, ['body.email']],
    ];
    for (const [body, paths] of bodies) {
      const { status, body: answer } = await postJson(address(), body);
      expect([status, answer.details.map(({ path }: { path: string }) => path)]).toEqual([400, paths]);
    }
    for (const value of HOSTILE_VALUES) {
      for (const body of [
        { token: value, password: NEW_PASSWORD },
        { token, password: value, email: 'x@y' },
        { token, password: NEW_PASSWORD, email: value },
      ]) {
        const { status } = await postJson(address(), body);
        expect([400, 404]).toContain(status);
      }
    }
    expect((await send(`${address()}?token=${token}&token=${token}`)).status).toBe(400);
    expect((await postJson(address(), '{')).status).toBe(400);
    expect((await accept(token)).status).toBe(200);
  });
});
