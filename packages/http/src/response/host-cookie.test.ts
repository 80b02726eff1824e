import { describe, expect, it } from '@jest/globals';
import { clearHostCookie, hostCookieName, setHostCookie } from './host-cookie.ts';

const cookie = { name: 'sluice-example', value: 'abc', maxAgeSeconds: 60 };

describe('cookies of a host', () => {
  it.each([
    'https://api.example.com',
    'https://localhost:8443',
    'https://127.0.0.1',
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
  ])('have the prefix __Host- and all that it requires on %s', (baseUrl) => {
    expect(setHostCookie({ ...cookie, baseUrl })).toBe(
      '__Host-sluice-example=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(hostCookieName({ ...cookie, baseUrl })).toBe('__Host-sluice-example');
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://acme-api.localhost:8080', 'http://[::1]:8080'])(
    'have their plain name on %s',
    (baseUrl) => {
      expect(setHostCookie({ ...cookie, baseUrl })).toBe(
        'sluice-example=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      );
      expect(hostCookieName({ ...cookie, baseUrl })).toBe('sluice-example');
    },
  );

  it('are removed with the attributes they were set with', () => {
    expect(clearHostCookie({ name: 'sluice-example', baseUrl: 'https://api.example.com' })).toBe(
      '__Host-sluice-example=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
  });
});
