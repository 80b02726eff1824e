import { describe, expect, it } from '@jest/globals';
import { advanceKeys, type KeySchedule, planKeys, planRevocation, signerOf } from './key-schedule.ts';
import type { StoredSigningKey } from './ports.ts';

const DAY = 86_400_000;
const schedule: KeySchedule = { signMs: 30 * DAY, leadMs: DAY, tokenMs: 3_600_000 };

/** Creates a key set that applies plans like the store. */
const createSet = () => {
  let keys: StoredSigningKey[] = [];
  let made = 0;
  return {
    keys: () => keys,
    revoke(kid: string) {
      keys = keys.filter((key) => key.kid !== kid);
    },
    put(changed: readonly StoredSigningKey[]) {
      keys = keys
        .map((key) => changed.find(({ kid }) => kid === key.kid) ?? key)
        .sort((a, b) => a.signFrom.getTime() - b.signFrom.getTime());
    },
    rotate(nowMs: number) {
      const { changed, added } = planKeys(keys, nowMs, schedule);
      const changedKids = new Set(changed.map(({ kid }) => kid));
      const created = added.map((times) => {
        made += 1;
        return { kid: `k${made}`, privateKeyEncrypted: new Uint8Array(), publicJwk: {}, refusedFrom: null, ...times };
      });
      keys = [...keys.filter(({ kid }) => !changedKids.has(kid)), ...changed, ...created]
        .filter(({ expiresAt }) => expiresAt.getTime() > nowMs)
        .sort((a, b) => a.signFrom.getTime() - b.signFrom.getTime());
    },
  };
};

describe('planKeys', () => {
  it('plans a signing key and its successor for an empty set', () => {
    const set = createSet();
    set.rotate(0);
    expect(set.keys().map(({ kid, signFrom }) => [kid, signFrom.getTime()])).toEqual([
      ['k1', 0],
      ['k2', 30 * DAY],
    ]);
    expect(signerOf(set.keys(), 0)?.kid).toBe('k1');
  });

  it('always has a signer, and publishes every key at least a day before it signs', () => {
    const set = createSet();
    const published = new Map<string, number>();
    let signerBefore = '';
    for (let hour = 0; hour < 24 * 200; hour += 1) {
      const now = hour * 3_600_000;
      set.rotate(now);
      for (const { kid } of set.keys()) if (!published.has(kid)) published.set(kid, now);
      const signer = signerOf(set.keys(), now);
      expect(signer).toBeDefined();
      if (signer !== undefined && signer.kid !== signerBefore) {
        if (signerBefore !== '') expect(now - (published.get(signer.kid) ?? now)).toBeGreaterThanOrEqual(DAY);
        signerBefore = signer.kid;
      }
      expect(set.keys().length).toBeLessThanOrEqual(3);
    }
    expect(signerBefore).toBe('k7');
  });

  it('publishes an old key until its last token has expired', () => {
    const set = createSet();
    set.rotate(0);
    set.rotate(30 * DAY + 3_599_999);
    expect(set.keys().map(({ kid }) => kid)).toContain('k1');
    set.rotate(30 * DAY + 3_600_001);
    expect(set.keys().map(({ kid }) => kid)).not.toContain('k1');
  });

  it('makes the published successor the signer when the signer is revoked', () => {
    const set = createSet();
    set.rotate(0);
    set.revoke('k1');
    set.rotate(1000);
    expect(signerOf(set.keys(), 1000)?.kid).toBe('k2');
    expect(set.keys()).toHaveLength(2);
  });

  it('plans no changes before the next rotation', () => {
    const set = createSet();
    set.rotate(0);
    expect(planKeys(set.keys(), 5 * DAY, schedule)).toEqual({ changed: [], added: [] });
  });

  it('extends the signer if its successor is late, so that the successor is published for a day', () => {
    const set = createSet();
    set.rotate(0);
    set.revoke('k2');
    const late = 30 * DAY - 3_600_000;
    set.rotate(late);
    const [signer, next] = set.keys();
    expect(next?.signFrom.getTime()).toBe(late + DAY);
    expect(signer?.signUntil.getTime()).toBe(late + DAY);
    expect(signer?.expiresAt.getTime()).toBe(late + DAY + schedule.tokenMs);
  });

  it('plans a new signer after all keys have expired', () => {
    const set = createSet();
    set.rotate(0);
    set.rotate(400 * DAY);
    expect(signerOf(set.keys(), 400 * DAY)).toBeDefined();
    expect(set.keys()).toHaveLength(2);
  });
});

describe('advanceKeys', () => {
  it('lets a successor sign at once that was published two minutes ago, and another one later', () => {
    const set = createSet();
    set.rotate(0);
    const early = advanceKeys(set.keys(), 30_000, schedule, false);
    expect(early.map(({ kid, signFrom, signUntil }) => [kid, signFrom.getTime(), signUntil.getTime()])).toEqual([
      ['k1', 0, 120_000],
      ['k2', 120_000, 120_000 + 30 * DAY],
    ]);
    set.put(advanceKeys(set.keys(), DAY, schedule, false));
    expect(signerOf(set.keys(), DAY)?.kid).toBe('k2');
    const [former] = set.keys();
    expect([former?.kid, former?.expiresAt.getTime()]).toEqual(['k1', DAY + schedule.tokenMs]);
    set.rotate(DAY);
    expect(set.keys().map(({ kid }) => kid)).toEqual(['k1', 'k2', 'k3']);
  });

  it('lets it sign at once if asked to, and is not put off by a second request', () => {
    const set = createSet();
    set.rotate(0);
    set.put(advanceKeys(set.keys(), 30_000, schedule, false));
    set.put(advanceKeys(set.keys(), 60_000, schedule, false));
    expect(set.keys().map(({ signFrom }) => signFrom.getTime())).toEqual([0, 120_000]);
    set.put(advanceKeys(set.keys(), 61_000, schedule, true));
    expect(signerOf(set.keys(), 61_000)?.kid).toBe('k2');
  });
});

describe('planRevocation', () => {
  it('refuses the tokens of the signing key when no host hands them out any more, within 50 s', () => {
    const set = createSet();
    set.rotate(0);
    const known = planRevocation(set.keys(), 'k1', DAY, schedule);
    expect(known?.refusedFrom.getTime()).toBe(DAY + 25_000);
    expect(known?.changed.map(({ kid, signFrom }) => [kid, signFrom.getTime()])).toEqual([
      ['k1', 0],
      ['k2', DAY],
    ]);
    // The stream hosts may not know the successor yet.
    const early = planRevocation(set.keys(), 'k1', 1000, schedule);
    expect([early?.refusedFrom.getTime(), early?.changed[1]?.signFrom.getTime()]).toEqual([51_000, 26_000]);
  });

  it('refuses those of a key that signs no longer, or not yet, at once', () => {
    const set = createSet();
    set.rotate(0);
    set.put(advanceKeys(set.keys(), DAY, schedule, true));
    set.rotate(DAY);
    expect(planRevocation(set.keys(), 'k3', DAY, schedule)).toEqual({ refusedFrom: new Date(DAY), changed: [] });
    expect(planRevocation(set.keys(), 'k1', DAY + 1000, schedule)).toEqual({
      refusedFrom: new Date(DAY + 25_000),
      changed: [],
    });
    expect(planRevocation(set.keys(), 'k1', DAY + 60_000, schedule)?.refusedFrom.getTime()).toBe(DAY + 60_000);
  });

  it('has no plan for an unknown key, one that is revoked, and a signing key without a successor', () => {
    const set = createSet();
    set.rotate(0);
    expect(planRevocation(set.keys(), 'k9', 0, schedule)).toBeUndefined();
    const revoked = set.keys().map((key) => ({ ...key, refusedFrom: new Date(5) }));
    expect(planRevocation(revoked, 'k1', 0, schedule)).toBeUndefined();
    set.revoke('k2');
    expect(planRevocation(set.keys(), 'k1', 0, schedule)).toBeUndefined();
  });
});
