import { describe, expect, it } from '@jest/globals';
import { loginCookieName, setLoginCookie } from './login-cookie.ts';
import { clearSessionCookie, sessionCookieName, setSessionCookie } from './session-cookie.ts';

const scopeOf = (name: string) => ({
  tenant: { id: '1', name, state: 'active', settings: {} } as const,
  baseUrl: 'https://api.example.com',
});

describe('cookies of a tenant', () => {
  it('have a name per tenant, so that a login to one tenant keeps the session of another', () => {
    expect(sessionCookieName(scopeOf('acme'))).not.toBe(sessionCookieName(scopeOf('other')));
    expect(loginCookieName(scopeOf('acme'))).not.toBe(loginCookieName(scopeOf('other')));
    expect(loginCookieName(scopeOf('acme'))).not.toBe(sessionCookieName(scopeOf('acme')));
  });

  it('are sent to this host only, and not to scripts', () => {
    const session = { value: 'secret', lifetimeSeconds: 60 };
    for (const header of [setSessionCookie(scopeOf('acme'), session), setLoginCookie(scopeOf('acme'), 'secret')]) {
      expect(header).toMatch(/^__Host-.*=secret; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    }
  });

  it('are removed under the name by which they are set', () => {
    expect(clearSessionCookie(scopeOf('acme'))).toContain(`${sessionCookieName(scopeOf('acme'))}=; Max-Age=0`);
  });
});
