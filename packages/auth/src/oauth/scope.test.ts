import { describe, expect, it } from '@jest/globals';
import { parseScope, requireWithin } from './scope.ts';

const INVALID = expect.objectContaining({ code: 'invalid_scope' });

describe('parseScope', () => {
  it('returns the permissions once each, and undefined for none', () => {
    expect(parseScope('query:run datamap:read  query:run')).toEqual(['query:run', 'datamap:read']);
    expect(parseScope(undefined)).toBeUndefined();
    expect(parseScope('')).toBeUndefined();
  });

  it.each(['everything', 'query:run openid', 'QUERY:RUN', 'query:run,admin', ' ', 'constructor'])(
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
