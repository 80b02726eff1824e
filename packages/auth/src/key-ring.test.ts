import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createKeyRing } from './key-ring.ts';
import { createLocalKeySource } from './key-source.ts';
import type { SigningKeys, StoredSigningKey } from './ports.ts';

const DAY = 86_400_000;
const schedule = { signMs: 30 * DAY, leadMs: DAY, tokenMs: 3_600_000 };

/** Keeps keys in memory, like the store in the database. */
const createKeys = (clock: { nowMs: number }) => {
  let keys: StoredSigningKey[] = [];
  const store: SigningKeys = {
    async update(plan) {
      const changed = await plan(keys);
      const kids = new Set(changed.map(({ kid }) => kid));
      keys = [...keys.filter(({ kid }) => !kids.has(kid)), ...changed]
        .filter(({ expiresAt }) => expiresAt.getTime() > clock.nowMs)
        .sort((a, b) => a.signFrom.getTime() - b.signFrom.getTime());
      return keys;
    },
    listRevoked: async () => [],
    revoke: () => Promise.reject(new TypeError('no key is revoked here')),
  };
  return { store, keys: () => keys };
};

const startRing = async () => {
  const clock = { nowMs: 1_000_000 };
  const { store, keys } = createKeys(clock);
  const options = { store, masterKeys: { current: randomBytes(32) }, schedule, now: () => clock.nowMs };
  return { clock, keys, options, ring: await createKeyRing(options) };
};

describe('createKeyRing', () => {
  it('publishes the signer and its successor, without private members', async () => {
    const { ring } = await startRing();
    const [signer, successor, ...others] = ring.publicJwks();
    expect(signer).toMatchObject({ kid: ring.signer().kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(successor?.kid).not.toBe(signer?.kid);
    expect([signer, successor].some((jwk) => jwk !== undefined && 'd' in jwk)).toBe(false);
    expect(others).toEqual([]);
  });

  it('stores private keys encrypted', async () => {
    const { keys } = await startRing();
    for (const { privateKeyEncrypted } of keys()) {
      expect(Buffer.from(privateKeyEncrypted).toString('latin1')).not.toContain('"d"');
    }
  });

  it('signs with the successor after the period of the first key, which stays published for its tokens', async () => {
    const { clock, ring } = await startRing();
    const [first, second] = ring.publicJwks().map(({ kid }) => kid);
    clock.nowMs += 30 * DAY;
    await ring.rotate();
    expect(ring.signer().kid).toBe(second);
    expect(ring.publicJwks().map(({ kid }) => kid)).toContain(first);
    clock.nowMs += schedule.tokenMs + 1;
    await ring.rotate();
    expect(ring.publicJwks().map(({ kid }) => kid)).not.toContain(first);
  });

  it('reads the keys of another ring with the same master key, and rejects another master key', async () => {
    const { options, ring } = await startRing();
    expect((await createKeyRing(options)).signer().kid).toBe(ring.signer().kid);
    await expect(createKeyRing({ ...options, masterKeys: { current: randomBytes(32) } })).rejects.toThrow(
      'SLUICE_MASTER_KEY',
    );
  });
});

describe('createLocalKeySource', () => {
  it('finds published keys only', async () => {
    const { clock, ring } = await startRing();
    const source = createLocalKeySource(ring);
    const { kid } = ring.signer();
    const key = await source.find(kid);
    expect(key?.type).toBe('public');
    expect(await source.find(kid)).toBe(key);
    expect(await source.find('unknown')).toBeUndefined();
    clock.nowMs += 400 * DAY;
    await ring.rotate();
    expect(await source.find(kid)).toBeUndefined();
  });
});
