import { describe, expect, it } from '@jest/globals';
import {
  createOpaqueToken,
  hashOpaqueToken,
  openLink,
  openLogin,
  openReplay,
  sealLink,
  sealLogin,
  sealReplay,
} from './opaque-token.ts';

describe('createOpaqueToken', () => {
  it('returns 256 random bits in base64url, with a stable hash', () => {
    const [one, other] = [createOpaqueToken(), createOpaqueToken()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(hashOpaqueToken(one)).toEqual(hashOpaqueToken(one));
    expect(hashOpaqueToken(one)).not.toEqual(hashOpaqueToken(other));
  });
});

describe('a value that is sealed for a token', () => {
  const KINDS = [
    { name: 'replay', seal: sealReplay, open: openReplay },
    { name: 'login', seal: sealLogin, open: openLogin },
    { name: 'link', seal: sealLink, open: openLink },
  ] as const;

  it.each(KINDS)('of the kind $name opens only as that kind, for that token', ({ name, seal, open }) => {
    const token = createOpaqueToken();
    const sealed = seal(token, { secret: 'value' });
    expect(open(token, sealed)).toEqual({ secret: 'value' });
    expect(() => open(createOpaqueToken(), sealed)).toThrow();
    for (const other of KINDS) {
      if (other.name !== name) expect(() => other.open(token, sealed)).toThrow();
    }
  });
});
