import { describe, expect, it } from '@jest/globals';
import { loginCookies, readDeviceCookie } from './device-cookie.ts';

const baseUrl = 'https://api.example.com';

describe('loginCookies', () => {
  it('returns no header without cookies', () => {
    expect(loginCookies(baseUrl, undefined)).toEqual({});
  });

  it('appends the device cookie to the others, and readDeviceCookie reads it again', () => {
    const { 'set-cookie': headers } = loginCookies(baseUrl, 'secret', ['a=b']);
    expect(headers).toHaveLength(2);
    const [first, device = ''] = headers as string[];
    expect(first).toBe('a=b');
    const [name, value] = device.split(';')[0]?.split('=') ?? [];
    const cookies = { get: (wanted: string) => (wanted === name ? value : undefined) };
    expect(readDeviceCookie({ cookies, baseUrl })).toBe('secret');
  });
});
