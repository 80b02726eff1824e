import { describe, expect, it } from '@jest/globals';
import { findProxy } from './find-proxy.ts';

const PROXY = 'http://proxy.example:3128';
const addressOf = (environment: Readonly<Record<string, string>>, url: string): string | undefined =>
  findProxy(environment, new URL(url))?.url.origin;

describe('the proxy of a URL', () => {
  it.each([
    [{ HTTPS_PROXY: PROXY }, 'https://acme.example', PROXY],
    [{ HTTPS_PROXY: PROXY }, 'http://acme.example', undefined],
    [{ HTTP_PROXY: PROXY }, 'http://acme.example', PROXY],
    [{ HTTP_PROXY: PROXY }, 'https://acme.example', undefined],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, 'https://acme.example', PROXY],
    [{ https_proxy: '', HTTPS_PROXY: PROXY }, 'https://acme.example', PROXY],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'https://acme.example', PROXY],
    [{ HTTPS_PROXY: 'https://proxy.example' }, 'https://acme.example', 'https://proxy.example'],
    [{}, 'https://acme.example', undefined],
  ])('%j for %s is %s', (environment, url, expected) => {
    expect(addressOf(environment as Record<string, string>, url)).toBe(expected);
  });

  it.each([
    ['*', 'https://acme.example', false],
    ['acme.example', 'https://acme.example', false],
    ['ACME.example', 'https://acme.EXAMPLE', false],
    ['example', 'https://acme.example', false],
    ['.example', 'https://acme.example', false],
    ['*.example', 'https://acme.example', false],
    ['cme.example', 'https://acme.example', true],
    ['acme.example:443', 'https://acme.example', false],
    ['acme.example:8443', 'https://acme.example', true],
    ['acme.example:8443', 'https://acme.example:8443', false],
    ['localhost, 127.0.0.1 ,::1', 'https://127.0.0.1:8080', false],
    ['localhost, 127.0.0.1 ,::1', 'https://[::1]:8080', false],
    ['[::1]:8080', 'https://[::1]:8080', false],
    ['[::1]:8081', 'https://[::1]:8080', true],
    [' ', 'https://acme.example', true],
  ])('with NO_PROXY %j, %s uses it: %s', (excluded, url, isUsed) => {
    expect(addressOf({ HTTPS_PROXY: PROXY, no_proxy: excluded }, url) !== undefined).toBe(isUsed);
  });

  it('has the user name and password of its variable decoded', () => {
    const found = findProxy({ HTTPS_PROXY: 'http://ann:p%40ss@proxy.example' }, new URL('https://acme.example'));
    expect(found?.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
    expect(found?.url.href).toBe('http://proxy.example/');
  });

  it.each(['socks5://proxy.example', 'http://', 'http://a b', 'http://%zz@proxy.example'])(
    '%j is an error that names its variable',
    (text) => {
      expect(() => findProxy({ HTTPS_PROXY: text }, new URL('https://acme.example'))).toThrow(
        'HTTPS_PROXY must be the URL of an http or https proxy, such as http://proxy.example.com:3128.',
      );
    },
  );
});
