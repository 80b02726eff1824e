import { describe, expect, it } from '@jest/globals';
import { mustLogInAgain, parseLoginDemands } from './login-demands.ts';

const NOW = 1_700_000_000_000;
const minutes = (count: number) => count * 60_000;
const mustLogIn = (request: Parameters<typeof parseLoginDemands>[0], loginAgeMs: number) =>
  mustLogInAgain(parseLoginDemands(request), { authenticatedAtMs: NOW - loginAgeMs }, NOW);

describe('prompt', () => {
  it('is a list of known values', () => {
    expect(parseLoginDemands({})).toMatchObject({ isSilent: false, asksConsent: false, asksLogin: false });
    expect(parseLoginDemands({ prompt: 'none' })).toMatchObject({ isSilent: true });
    expect(parseLoginDemands({ prompt: 'login  consent' })).toMatchObject({ asksConsent: true, asksLogin: true });
    expect(parseLoginDemands({ prompt: 'select_account' })).toMatchObject({ asksConsent: true, asksLogin: false });
  });

  it.each(['none login', 'login none', 'create', 'NONE', 'login,consent'])('is rejected: %s', (prompt) => {
    expect(() => parseLoginDemands({ prompt })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('max_age and login_after', () => {
  it.each(['-1', '1.5', 'x', '', '1e3'])('are rejected: %s', (value) => {
    for (const name of ['max_age', 'login_after']) {
      expect(() => parseLoginDemands({ [name]: value })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });
});

describe('another login', () => {
  it('is needed for prompt=login and max_age=0, however young the session is', () => {
    expect(mustLogIn({}, minutes(600))).toBe(false);
    expect(mustLogIn({ prompt: 'login' }, 0)).toBe(true);
    expect(mustLogIn({ max_age: '0' }, 0)).toBe(true);
  });

  it('is needed when the login is older than max_age', () => {
    expect(mustLogIn({ max_age: '60' }, minutes(1))).toBe(false);
    expect(mustLogIn({ max_age: '60' }, minutes(1) + 1)).toBe(true);
  });

  it('is not needed again after it, for ten minutes', () => {
    const after = (ageMs: number) => ({ prompt: 'login', max_age: '0', login_after: String(NOW - ageMs) });
    expect(mustLogIn(after(minutes(2)), minutes(1))).toBe(false);
    expect(mustLogIn(after(minutes(2)), minutes(3))).toBe(true);
    expect(mustLogIn(after(minutes(11)), minutes(1))).toBe(true);
  });
});
