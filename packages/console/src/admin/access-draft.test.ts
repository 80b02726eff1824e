import { describe, expect, it } from '@jest/globals';
import {
  accessBody,
  draftOfAccess,
  hasKeySet,
  isCompleteAccess,
  isOtherAccess,
  lostAccess,
  lostByScopes,
} from './access-draft.ts';

const NONE = { allowed_networks: null, scopes: null, jwks: null, jwks_uri: null, may_introspect: false };
const FULL = {
  allowed_networks: ['10.0.0.0/8'],
  scopes: ['query:run'],
  jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x' }] },
  jwks_uri: null,
  may_introspect: true,
};
const none = draftOfAccess(NONE);
const full = draftOfAccess(FULL);

describe('the draft of the access', () => {
  it.each([NONE, FULL, { ...NONE, jwks_uri: 'https://keys.example/jwks' }])('of %j is what the host has', (access) => {
    expect(accessBody(draftOfAccess(access))).toEqual(access);
    expect(isOtherAccess(draftOfAccess(access), draftOfAccess(access))).toBe(false);
  });

  it('drops the text of a source of keys that is not chosen', () => {
    expect(accessBody({ ...full, keySource: 'none' })).toMatchObject({ jwks: null, jwks_uri: null });
    expect(accessBody({ ...full, keySource: 'address', keyAddress: ' https://k.example ' })).toMatchObject({
      jwks: null,
      jwks_uri: 'https://k.example',
    });
  });

  it('is incomplete without keys, an address or a permission that it asks for', () => {
    expect([none, full].map(isCompleteAccess)).toEqual([true, true]);
    expect(isCompleteAccess({ ...none, scopes: [] })).toBe(false);
    expect(isCompleteAccess({ ...none, keySource: 'address', keyAddress: ' ' })).toBe(false);
    for (const keys of ['', '{', '[]', 'null', '{}']) {
      expect([keys, hasKeySet({ ...none, keySource: 'inline', keys })]).toEqual([keys, false]);
    }
  });

  it('says what a change takes away', () => {
    expect(lostAccess(none, full)).toEqual(['networks']);
    expect(lostAccess(full, none)).toEqual(['keys']);
    expect(lostAccess(full, { ...full, networks: [] })).toEqual([]);
    expect(lostAccess(full, { ...full, keys: '{"keys": []}' })).toEqual(['keys']);
    const granted = new Set(['query:run', 'audit:read']);
    expect(lostByScopes(none, full, granted)).toEqual(['audit:read']);
    expect(lostByScopes(full, { ...full, scopes: ['audit:read'] }, granted)).toEqual(['query:run']);
    expect(lostByScopes(full, { ...full, scopes: ['query:run', 'admin'] }, granted)).toEqual([]);
    expect(lostByScopes(full, none, granted)).toEqual([]);
  });

  it.each([
    { networks: [] },
    { scopes: null },
    { scopes: ['audit:read' as const] },
    { keys: '{}' },
    { keySource: 'none' as const },
    { mayIntrospect: false },
  ])('differs by %j', (change) => {
    expect(isOtherAccess(full, { ...full, ...change })).toBe(true);
  });
});
