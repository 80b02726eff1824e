import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postForm } from '@sluice/testkit/requests';
import { PARTNER } from './return-to-forms.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
  await test.rows(`update tenants set settings = $1 where name = 'acme'`, [{ allowedOrigins: [PARTNER] }]);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const page = (query = '') => send(`${test.url}/auth/sign-in/acme${query}`);
const start = (query = '') => send(`${test.url}/auth/login/acme${query}`);
const submit = (fields: Record<string, string> = {}, headers: Record<string, string> = { origin: test.url }) =>
  postForm(
    `${test.url}/auth/sign-in/acme`,
    { email: 'ann@example.com', password: passwordOf('acme'), ...fields },
    headers,
  );

describe('GET /auth/login/{tenant}', () => {
  it('redirects to our own form and keeps return_to', async () => {
    expect((await start()).headers.location).toBe('/auth/sign-in/acme');
    const { status, headers } = await start('?return_to=/console%3Fa%3D1');
    expect([status, headers.location]).toEqual([302, '/auth/sign-in/acme?return_to=%2Fconsole%3Fa%3D1']);
  });
});

describe('GET /auth/login/{tenant} after a logout from the console', () => {
  const startWith = (path: string, query = '') =>
    send(`${test.url}/auth/login/acme${query}`, { headers: { cookie: `sluice_console_return=${path}` } });

  it('leads back to the console, unless return_to says otherwise', async () => {
    expect((await startWith('/console/')).headers.location).toBe('/auth/sign-in/acme?return_to=%2Fconsole%2F');
    expect((await startWith('/console/', '?return_to=/docs')).headers.location).toBe(
      '/auth/sign-in/acme?return_to=%2Fdocs',
    );
  });

  it.each([
    '//evil.test',
    'https://evil.test/console/',
    '/docs',
    '/console//evil.test',
    '/console/%2e%2e',
    '/console/../auth/logout/acme',
    '/console/./x',
    '/console/..',
    '/consoles',
  ])('ignores %s in the cookie', async (path) => {
    expect((await startWith(path)).headers.location).toBe('/auth/sign-in/acme');
  });
});

describe('GET /auth/sign-in/{tenant}', () => {
  it('is a form without scripts, frames and external resources', async () => {
    const { status, text, headers } = await page();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<form method="post" action="/auth/sign-in/acme">');
    expect(text).not.toContain('<script');
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toContain('unsafe');
  });

  it('escapes return_to, and allows the form to redirect to its origin', async () => {
    const returnTo = `${PARTNER}/?q="><script>`;
    const { text, headers } = await page(`?return_to=${encodeURIComponent(returnTo)}`);
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${PARTNER};`);
  });
});

describe('POST /auth/sign-in/{tenant}', () => {
  it('sets a cookie that is HttpOnly and SameSite', async () => {
    const { status, text, headers } = await submit();
    expect(status).toBe(200);
    expect(text).toContain('Signed in');
    expect(headers['set-cookie']).toHaveLength(3);
    expect(headers['set-cookie']?.[0]).toMatch(
      /^sluice_session_acme=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(headers['set-cookie']?.[1]).toBe(
      'sluice_sign_in_acme=password; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
    );
  });

  it('uses the prefix __Host- off loopback, and accepts no other name there', async () => {
    const host = 'acme-api.example.com';
    const origin = `http://${host}`;
    const { status, headers } = await submit({}, { host, origin });
    expect(status).toBe(200);
    const line = headers['set-cookie']?.[0] ?? '';
    expect(line).toMatch(
      /^__Host-sluice_session_acme=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const [cookie = ''] = line.split(';');
    const exchange = (sent: string) =>
      send(`${test.url}/auth/session/acme`, { method: 'POST', headers: { host, origin, cookie: sent } });
    expect((await exchange(cookie)).status).toBe(200);
    expect((await exchange(cookie.replace('__Host-', ''))).status).toBe(204);
  });

  it('stores cookies only as hashes', async () => {
    const { headers } = await submit();
    const value = /=([\w-]{43});/.exec(headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
    const stored = await test.rows('select cookie_hash::text from sessions where cookie_hash is not null');
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(value).toString('hex'));
  });

  it('redirects to return_to on this host or an allowed origin', async () => {
    expect((await submit({ return_to: '/docs?x=1#y' })).headers.location).toBe('/docs?x=1#y');
    const { status, headers } = await submit({ return_to: `${PARTNER}/home` });
    expect([status, headers.location]).toEqual([303, `${PARTNER}/home`]);
  });

  it.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['null', { origin: 'null' }],
    ['none', {}],
  ] as const)('refuses a form of %s', async (_name, headers) => {
    const answer = await submit({}, headers);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('shows the form again after a wrong password, with the escaped e-mail address', async () => {
    const { status, text, headers } = await submit({ email: '"><script>@x', password: 'wrong' });
    expect(status).toBe(401);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['www-authenticate']).toBe('Bearer realm="sluice"');
    expect(text).toContain('The e-mail or the password is wrong.');
    expect(text).not.toContain('<script');
    expect(text).not.toContain('wrong"');
  });

  it('shows a wrong password in the language of the reader', async () => {
    const answer = await submit({ password: 'wrong' }, { origin: test.url, 'accept-language': 'fr' });
    expect([answer.status, answer.text.includes('L’adresse e-mail ou le mot de passe est incorrect.')]).toEqual([
      401,
      true,
    ]);
  });

  it('shows any other error to a browser as a page, and to a program as JSON', async () => {
    const browser = { accept: 'text/html', 'accept-language': 'de' };
    const pages = [
      await submit({}, { origin: 'https://evil.test', ...browser }),
      await submit({ return_to: 'https://evil.test/' }, { origin: test.url, ...browser }),
      await send(`${test.url}/auth/sign-in/acme?return_to=https://evil.test/`, { headers: browser }),
      await send(`${test.url}/auth/login/acme?return_to=https://evil.test/`, { headers: browser }),
    ];
    for (const { status, headers, text } of pages) {
      expect([status, headers['content-type']]).toEqual([expect.any(Number), 'text/html; charset=utf-8']);
      expect(text).toContain('<p role="alert">Diese Anfrage wurde abgelehnt. Beginnen Sie neu.</p>');
      expect(text).not.toContain('evil.test');
    }
    expect(pages.map(({ status }) => status)).toEqual([403, 400, 400, 400]);
    expect((await submit({}, { origin: 'https://evil.test' })).body.error).toBe('access_denied');
  });

  it('shows an unknown tenant and an incomplete form to a browser as a page too', async () => {
    const browser = { accept: 'text/html', 'accept-language': 'de' };
    const unknown = await send(`${test.url}/auth/sign-in/nobody`, { headers: browser });
    expect([unknown.status, unknown.text.includes('Diese Adresse gibt es hier nicht.')]).toEqual([404, true]);
    expect(unknown.text).toContain(`ID der Anfrage: <code>${unknown.headers['x-request-id']}</code>`);
    const incomplete = await submit({ password: '' }, { origin: test.url, ...browser });
    expect([incomplete.status, incomplete.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect((await send(`${test.url}/auth/sign-in/nobody`)).body.error).toBe('not_found');
  });
});

const exchange = (headers: Record<string, string>) =>
  send(`${test.url}/auth/session/acme`, { method: 'POST', headers });

describe('a sign-in of a browser that is signed in', () => {
  it('ends the session that it replaces, and no other', async () => {
    const cookieOf = async (headers: Record<string, string> = {}) =>
      (await submit({}, { origin: test.url, ...headers })).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const [first, otherBrowser] = [await cookieOf(), await cookieOf()];
    const second = await cookieOf({ cookie: first });
    const works = async (cookie: string) => (await exchange({ cookie, origin: test.url })).status;
    expect([await works(first), await works(second), await works(otherBrowser)]).toEqual([204, 200, 200]);
    expect((await submit({ password: 'wrong' }, { origin: test.url, cookie: second })).status).toBe(401);
    expect(await works(second)).toBe(200);
  });
});

const cookieOf = async () => (await submit()).headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe('GET /auth/session/{tenant}', () => {
  const check = (headers: Record<string, string> = {}, tenant = 'acme') =>
    send(`${test.url}/auth/session/${tenant}`, { headers });

  it('says whether the session of the cookie is open', async () => {
    const cookie = await cookieOf();
    const open = await check({ cookie });
    expect([open.status, open.body, open.headers['cache-control']]).toEqual([200, { active: true }, 'no-store']);
    expect((await check({ cookie }, 'globex')).body).toEqual({ active: false });
    for (const other of ['', 'sluice_session_acme=wrong']) {
      const none = await check({ cookie: other });
      expect([none.status, none.body]).toEqual([200, { active: false }]);
    }
    await send(`${test.url}/auth/logout/acme`, { headers: { cookie } });
    expect((await check({ cookie })).body).toEqual({ active: false });
  });

  it('says that it is over for a user who was disabled', async () => {
    const cookie = await cookieOf();
    const disable = (isDisabled: boolean) =>
      test.rows('update users set disabled = $2 where id = $1', [test.acme.userId, isDisabled]);
    await disable(true);
    expect((await check({ cookie })).body).toEqual({ active: false });
    await disable(false);
    expect((await check({ cookie })).body).toEqual({ active: true });
  });

  it('does not count as a use of the session, gives no tokens, writes nothing, and is not readable for another origin', async () => {
    const cookie = await cookieOf();
    const state = async () => {
      const [row] = await test.rows(
        `select (select count(*) from audit_log) as records, (select count(*) from refresh_tokens) as tokens,
          (select json_agg(last_used order by sid) from sessions) as used`,
      );
      return row;
    };
    await test.rows(`update sessions set created = now() - interval '1 hour', last_used = now() - interval '1 hour'`);
    const before = await state();
    const answer = await check({ cookie, origin: PARTNER });
    expect([answer.body, answer.headers['access-control-allow-credentials']]).toEqual([{ active: true }, undefined]);
    expect(await state()).toEqual(before);
  });
});

describe('POST /auth/session/{tenant}', () => {
  it('returns new tokens to each of our own pages', async () => {
    const cookie = await cookieOf();
    const [one, other] = [await exchange({ cookie, origin: test.url }), await exchange({ cookie, origin: test.url })];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.body.refresh_token).not.toBe(other.body.refresh_token);
    for (const { body } of [one, other]) {
      const next = await postForm(`${test.url}/auth/refresh/acme`, { refresh_token: body.refresh_token });
      expect(next.status).toBe(200);
    }
  });

  it('returns 403 for other origins, and 204 without a valid cookie', async () => {
    const cookie = await cookieOf();
    expect((await exchange({ cookie })).status).toBe(403);
    expect((await exchange({ cookie, origin: PARTNER })).status).toBe(403);
    const none = await exchange({ origin: test.url });
    expect([none.status, none.text, none.headers['cache-control']]).toEqual([204, '', 'no-store']);
    expect((await exchange({ origin: test.url, cookie: 'sluice_session_acme=wrong' })).status).toBe(204);
  });

  it('is the only operation that accepts the cookie', async () => {
    expect((await send(`${test.url}/test/api`, { headers: { cookie: await cookieOf() } })).status).toBe(401);
  });
});
