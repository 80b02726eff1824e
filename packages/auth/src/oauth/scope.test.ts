import { describe, expect, it } from '@jest/globals';
import { isWithinScope, joinScopes, parseScope, requireWithin, scopeForClient } from './scope.ts';

const INVALID = expect.objectContaining({ code: 'invalid_scope' });

describe('parseScope', () => {
  it('returns the values once each, and undefined for none', () => {
    expect(parseScope('query:run datamap:read  query:run')).toEqual(['query:run', 'datamap:read']);
    expect(parseScope('openid query:run')).toEqual(['openid', 'query:run']);
    expect(parseScope(undefined)).toBeUndefined();
    expect(parseScope('')).toBeUndefined();
  });

  it.each(['everything', 'query:run profile', 'QUERY:RUN', 'query:run,admin', ' ', 'constructor'])(
    'rejects %p',
    (text) => {
      expect(() => parseScope(text)).toThrow(INVALID);
    },
  );
});

it('requireWithin accepts a part of the granted scope only', () => {
  expect(() => requireWithin(['query:run'], ['query:run', 'admin'])).not.toThrow();
  expect(() => requireWithin(['query:run'], undefined)).not.toThrow();
  expect(() => requireWithin(undefined, ['query:run'])).not.toThrow();
  expect(() => requireWithin(['admin'], ['query:run'])).toThrow(INVALID);
});

describe('the scope of a client', () => {
  it('limits what a request gets, and is its default without openid', () => {
    expect(scopeForClient(['admin'], undefined)).toEqual(['admin']);
    expect(scopeForClient(undefined, undefined)).toBeUndefined();
    expect(scopeForClient(undefined, ['openid', 'query:run'])).toEqual(['query:run']);
    expect(scopeForClient(['openid'], ['openid', 'query:run'])).toEqual(['openid']);
    expect(() => scopeForClient(['admin'], ['query:run'])).toThrow(INVALID);
    expect(() => scopeForClient(['openid'], ['query:run'])).toThrow(INVALID);
  });
});

it('isWithinScope takes an absent scope for everything', () => {
  expect(isWithinScope(['query:run'], undefined)).toBe(true);
  expect(isWithinScope(undefined, undefined)).toBe(true);
  expect(isWithinScope(undefined, ['query:run'])).toBe(false);
  expect(isWithinScope(['query:run'], ['query:run', 'admin'])).toBe(true);
  expect(isWithinScope(['query:run', 'openid'], ['query:run'])).toBe(false);
  expect(isWithinScope([], ['query:run'])).toBe(true);
});

it('joinScopes returns what both contain together', () => {
  expect(joinScopes(['query:run'], ['openid', 'query:run'])).toEqual(['query:run', 'openid']);
  expect(joinScopes(['query:run'], undefined)).toBeUndefined();
});
