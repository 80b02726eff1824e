import { describe, expect, it } from '@jest/globals';
import { createOpaqueToken, sealLink, sealLogin } from '@sluice/auth';
import { buildCaller } from '@sluice/testkit';
import { linkKeys, openSealedLink, unknownLink } from './unconfirmed-link.ts';

const { tenant } = buildCaller('ann').principal;
const cookie = createOpaqueToken();

describe('a sealed link', () => {
  it('opens with the cookie of its browser only, and a login in progress is not a link', () => {
    const link = { user: { id: 'u' } };
    expect(openSealedLink(cookie, sealLink(cookie, link))).toEqual(link);
    expect(openSealedLink(createOpaqueToken(), sealLink(cookie, link))).toBeUndefined();
    expect(openSealedLink(cookie, sealLogin(cookie, link))).toBeUndefined();
    expect(openSealedLink(cookie, new Uint8Array(3))).toBeUndefined();
  });

  it('is stored by hashes, so neither token nor cookie can be read from the database', () => {
    const keys = linkKeys(tenant, 'token', cookie);
    expect(keys.tenantId).toBe('t');
    expect(Buffer.from(keys.stateHash).equals(Buffer.from(keys.cookieHash))).toBe(false);
    expect(Buffer.from(keys.stateHash).includes('token')).toBe(false);
  });

  it('that is unknown is invalid_request, with the address at which to begin again', () => {
    expect(unknownLink(tenant)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('/auth/login/acme'),
    });
  });
});
