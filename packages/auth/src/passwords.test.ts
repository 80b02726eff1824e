import { describe, expect, it } from '@jest/globals';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords({ memoryKib: 64, passes: 1 });

describe('createPasswords', () => {
  it('returns argon2id hashes with their costs and a random salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(one).not.toBe(other);
    expect(await createPasswords().hash('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('compares whole passwords, not cut at 72 bytes or at NUL', async () => {
    const long = 'x'.repeat(90);
    const hashes = [await passwords.hash(`${long}a`)];
    expect(await passwords.verify(hashes, `${long}a`)).toBe(true);
    expect(await passwords.verify(hashes, `${long}b`)).toBe(false);
    expect(await passwords.verify([await passwords.hash('a\0b')], 'a\0c')).toBe(false);
  });

  it('matches any of several hashes, including hashes with other costs, and none of an empty list', async () => {
    const older = await createPasswords({ memoryKib: 128, passes: 2 }).hash('new');
    expect(await passwords.verify([await passwords.hash('old'), older], 'new')).toBe(true);
    expect(await passwords.verify([], 'new')).toBe(false);
  });

  it('takes as long for an unknown account as for a known one', async () => {
    const real = createPasswords();
    const hashes = [await real.hash('secret')];
    const timeOf = async (candidates: readonly string[]) => {
      const started = performance.now();
      await real.verify(candidates, 'guess');
      return performance.now() - started;
    };
    await timeOf([]);
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // Alternates, and uses the minimum of each, because other work on the machine only adds time.
    const isAlike = () => unknown > known * 0.7 && unknown < known * 1.4;
    for (let index = 0; index < 200 && (index < 25 || !isAlike()); index += 1) {
      known = Math.min(known, await timeOf(hashes));
      unknown = Math.min(unknown, await timeOf([]));
    }
    // Without the dummy hash it would be a thousandth.
    expect(unknown).toBeGreaterThan(known * 0.7);
    expect(unknown).toBeLessThan(known * 1.4);
  });

  it('checks two at a time and rejects when the queue is full', async () => {
    const hash = await passwords.hash('secret');
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.verify([hash], 'secret')));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(98);
    expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } });
    expect(await passwords.verify([hash], 'secret')).toBe(true);
  });
});
