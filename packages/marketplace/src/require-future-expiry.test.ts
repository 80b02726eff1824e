import { describe, expect, it } from '@jest/globals';
import type { StoredGrant } from '@sluice/store/marketplace';
import { pastExpiries, requireFutureExpiry } from './require-future-expiry.ts';

const FUTURE = Date.now() + 86_400_000;
const PAST = 1_700_000_000_000;

const grantOf = (name: string, expires_ts: number | null, kind: StoredGrant['kind'] = 'user'): StoredGrant => ({
  kind,
  name,
  expires_ts,
});

describe('requireFutureExpiry', () => {
  it.each([undefined, null, FUTURE])('accepts %j', (expiresTs) => {
    expect(() => requireFutureExpiry(expiresTs)).not.toThrow();
  });

  it('rejects a past time', () => {
    expect(() => requireFutureExpiry(PAST)).toThrow('body.expires_ts: expires_ts must be in the future');
  });
});

describe('pastExpiries', () => {
  it('lists grants whose expiry is past by their position', () => {
    const grants = [grantOf('ann', null), grantOf('bob', PAST), grantOf('cid', FUTURE), grantOf('dan', PAST)];
    expect(pastExpiries(grants, []).map(({ path }) => path)).toEqual(['grants[1].expires_ts', 'grants[3].expires_ts']);
  });

  it('accepts an expired grant only if it equals a stored one', () => {
    const stored = [grantOf('ann', PAST)];
    expect(pastExpiries(stored, stored)).toEqual([]);
    for (const changed of [grantOf('ann', PAST - 1), grantOf('bob', PAST), grantOf('ann', PAST, 'role')]) {
      expect(pastExpiries([changed], stored)).toHaveLength(1);
    }
  });
});
