import { describe, expect, it } from '@jest/globals';
import { readDeviceCookie } from './device-cookie.ts';

const TOKEN = 'x'.repeat(43);

describe('readDeviceCookie', () => {
  it.each([
    `sluice-device=${TOKEN}`,
    `__Host-sluice-device=${TOKEN}`,
    `a=b; sluice-device=${TOKEN}; c=d`,
    `a=b;\tsluice-device=${TOKEN} ;c=d`,
  ])('reads %j', (cookie) => {
    expect(readDeviceCookie({ headers: { cookie } })).toBe(TOKEN);
  });

  it.each([
    undefined,
    '',
    `sluice-device=${TOKEN}x`,
    `sluice-device=${TOKEN.slice(1)}`,
    `sluice-device="${TOKEN}"`,
    `not-sluice-device=${TOKEN}`,
  ])('returns undefined for %j', (cookie) => {
    expect(readDeviceCookie({ headers: cookie === undefined ? {} : { cookie } })).toBeUndefined();
  });
});
