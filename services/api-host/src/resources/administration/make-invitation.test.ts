import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import { createMakeInvitation } from './make-invitation.ts';

describe('makeInvitation', () => {
  it('returns the token to the caller, and its hash and expiry to the store', () => {
    const make = createMakeInvitation({ lifetimeMs: 1000, now: () => 5000 });
    const { shown, stored } = make({ tenantName: 'acme', baseUrl: 'https://api.example.com/base' });
    expect(shown.url).toBe(`https://api.example.com/base/auth/invitation/acme?token=${shown.token}`);
    expect(shown.expires_ts).toBe(6000);
    expect(stored).toEqual({ tokenHash: hashOpaqueToken(shown.token), expires: new Date(6000) });
  });

  it('makes another token each time', () => {
    const make = createMakeInvitation({ lifetimeMs: 1000, now: Date.now });
    const input = { tenantName: 'acme', baseUrl: 'https://api.example.com' };
    expect(make(input).shown.token).not.toBe(make(input).shown.token);
  });
});
