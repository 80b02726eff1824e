import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSlotKeys } from './slot-keys.ts';

/** Part of a key that Redis Cluster hashes (Redis Cluster specification, "Hash tags"). */
const hashTagOf = (key: string): string | undefined => /\{([^}]+)\}/.exec(key)?.[1];

describe('createSlotKeys', () => {
  it('keeps the key names of earlier versions, with which hosts share counts during a rolling upgrade', () => {
    const keys = createSlotKeys('sluice:');
    expect([keys.trust, keys.released]).toEqual(['sluice:{places}:trust', 'sluice:{places}:freed']);
    expect(keys.ofTenant('acme')).toEqual({
      running: 'sluice:{places}:running:acme',
      queued: 'sluice:{places}:queued:acme',
      contending: 'sluice:{places}:bids:acme',
    });
  });

  it('puts all keys on one node of a cluster, and gives each tenant its own', () => {
    const prefix = fc.stringMatching(/^[\w:.-]{0,20}$/);
    fc.assert(
      fc.property(prefix, fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 5 }), (text, tenantIds) => {
        const keys = createSlotKeys(text);
        const ofTenants = tenantIds.flatMap((tenantId) => Object.values(keys.ofTenant(tenantId)));
        const all = [keys.trust, keys.released, ...ofTenants];
        expect(new Set(all.map(hashTagOf))).toEqual(new Set(['places']));
        expect(new Set(all).size).toBe(all.length);
        for (const key of all) expect(key.startsWith(text)).toBe(true);
      }),
    );
  });
});
