import { describe, expect, it } from '@jest/globals';
import { hasClaim, readIdentityClaims } from './identity-claims.ts';

const NAMES = { emailClaim: 'email', groupsClaim: 'realm_access.roles' };

describe('readIdentityClaims', () => {
  it('reads groups by a path, or by a name that contains dots', () => {
    const nested = { realm_access: { roles: ['a', 'b', 7] } };
    expect(readIdentityClaims(nested, NAMES).groups).toEqual(['a', 'b']);
    expect(readIdentityClaims({ 'realm_access.roles': 'c', ...nested }, NAMES).groups).toEqual(['c']);
    expect(readIdentityClaims({ realm_access: 'text' }, NAMES).groups).toEqual([]);
    expect(readIdentityClaims({}, { ...NAMES, groupsClaim: 'constructor' }).groups).toEqual([]);
    expect(hasClaim(nested, 'realm_access.roles')).toBe(true);
    expect(hasClaim(nested, 'realm_access.other')).toBe(false);
  });

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', false],
    [1, false],
    [undefined, undefined],
    [null, undefined],
  ])('reads email_verified %j as %j', (claim, verified) => {
    expect(readIdentityClaims({ email: 'a@b', email_verified: claim }, NAMES).emailVerified).toBe(verified);
  });

  it('ignores email_verified if the configured claim is not email', () => {
    const claims = { upn: 'Ann@Example.com', email: 'other@example.com', email_verified: true };
    const { email, emailVerified } = readIdentityClaims(claims, { emailClaim: 'upn', groupsClaim: null });
    expect([email, emailVerified]).toEqual(['ann@example.com', undefined]);
  });
});
