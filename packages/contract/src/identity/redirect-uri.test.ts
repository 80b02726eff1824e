import { describe, expect, it } from '@jest/globals';
import { isNativeRedirectUri, redirectUriProblem } from './redirect-uri.ts';

describe('a redirect URI can be registered', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/callback?x=1',
    'https://xn--bcher-kva.example/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8400/callback',
    'http://[::1]/callback',
    'com.example.app:/callback',
    'com.example.app:/oauth/callback?x=1',
  ])('%s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });
});

describe('a redirect URI is rejected', () => {
  it.each([
    ['http://app.example.com/callback', 'must use https'],
    ['http://localhost/callback', 'must use https'],
    ['http://127.0.0.1.evil.example/callback', 'must use https'],
    ['http://2130706433/callback', 'must be written as browsers send it: http://127.0.0.1/callback'],
    ['https://app.example.com/callback#x', 'fragment'],
    ['https://app.example.com/callback#', 'fragment'],
    ['https://ann:x@app.example.com/callback', 'user information'],
    ['https://@app.example.com/callback', 'user information'],
    ['https://*.example.com/callback', 'wildcard'],
    ['https://app.example.com/*', 'wildcard'],
    ['HTTPS://app.example.com/callback', 'must be written as browsers send it'],
    ['https://App.example.com/callback', 'must be written as browsers send it'],
    ['https://app.example.com:443/callback', 'must be written as browsers send it'],
    ['https://app.example.com/x/../callback', 'must be written as browsers send it'],
    ['https://app.example.com/%2e%2e/callback', 'must be written as browsers send it'],
    ['https://bücher.example/callback', 'printable ASCII'],
    ['https://app.example.com/call back', 'printable ASCII'],
    ['https://app.example.com\\@evil.example/', 'printable ASCII'],
    ['https://app.example.com/callback\n', 'printable ASCII'],
    ['https:///callback', 'must be written as browsers send it'],
    ['https:app.example.com', 'must be written as browsers send it'],
    ['https://', 'complete address'],
    ['/callback', 'complete address'],
    ['', 'printable ASCII'],
    ['myapp:/callback', 'a scheme with a dot and one slash'],
    ['com.example.app://callback', 'a scheme with a dot and one slash'],
    ['com.example.app:callback', 'a scheme with a dot and one slash'],
    ['javascript:alert(1)', 'a scheme with a dot and one slash'],
    ['data:text/html,x', 'a scheme with a dot and one slash'],
    ['file:///etc/passwd', 'a scheme with a dot and one slash'],
    [`https://app.example.com/${'x'.repeat(500)}`, 'at most 512 characters'],
  ])('%s', (uri, problem) => {
    expect(redirectUriProblem(uri)).toContain(problem);
  });
});

it('loopback and private-use schemes lead to the device of the user', () => {
  const native = ['http://127.0.0.1/x', 'http://[::1]:80/x', 'com.example.app:/x'];
  expect(native.map(isNativeRedirectUri)).toEqual([true, true, true]);
  expect(['https://app.example.com/x', 'https://127.0.0.1/x', 'x'].map(isNativeRedirectUri)).toEqual([
    false,
    false,
    false,
  ]);
});
