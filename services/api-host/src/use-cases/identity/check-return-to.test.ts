import { describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { checkReturnTo } from './check-return-to.ts';

const rules = {
  baseUrl: 'https://acme-api.example.com',
  isAllowedOrigin: (origin: string) => origin === 'https://app.example.com',
  allowedAddresses: ['https://other.example.com/exactly?this=1'],
};

const check = (returnTo: string): string | undefined => {
  try {
    return checkReturnTo(returnTo, rules);
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'invalid_request' });
    return undefined;
  }
};

describe('checkReturnTo', () => {
  it.each([
    ['/', '/'],
    ['/a/../b?c=d#e', '/b?c=d#e'],
    ['/auth/logouts?a=%', '/auth/logouts?a=%'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://APP.example.com/x', 'https://app.example.com/x'],
    ['https://other.example.com/exactly?this=1', 'https://other.example.com/exactly?this=1'],
  ])('returns the normalised address of %j', (returnTo, expected) => {
    expect(check(returnTo)).toBe(expected);
  });

  it.each([
    '',
    'a',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https:///evil.example',
    'javascript:alert(1)',
    'https://evil.example',
    'https://app.example.com@evil.example',
    'https://user@app.example.com',
    'http://app.example.com',
    'https://other.example.com/exactly?this=2',
    `/${'a'.repeat(2048)}`,
    '/\ud800',
    '/auth/logout/acme',
    '/auth/x/../logout/acme?a=b',
    '/auth/%6Cogout/acme',
    'https://acme-api.example.com/auth/logout/acme',
  ])('rejects %j', (returnTo) => {
    expect(check(returnTo)).toBeUndefined();
  });

  it('never returns an address that a browser resolves to another host', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'https:',
      '\t',
      'a',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const result = check(`/${parts.join('')}`);
        if (result !== undefined) expect(new URL(result, rules.baseUrl).origin).toBe(rules.baseUrl);
      }),
      { numRuns: shortOrLong(300, 2_000) },
    );
  });

  it('accepts its own result', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const result = check(`/${path}?${query}`);
        if (result !== undefined) expect(check(result)).toBe(result);
      }),
    );
  });
});
