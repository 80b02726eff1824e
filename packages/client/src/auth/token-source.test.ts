import { describe, expect, it } from '@jest/globals';
import { createTokenSource, type Token } from './token-source.ts';

/** A token of 100 s. */
const tokenOf = (value: string, ageMs = 0): Token => {
  const obtainedAt = Date.now() - ageMs;
  return { value, obtainedAt, expiresAt: obtainedAt + 100_000 };
};

describe('a token source', () => {
  it.each([
    [79_000, 'first'],
    [81_000, 'second'],
  ])('%d ms after a token of 100,000 ms returns the %s', async (ageMs, expected) => {
    const source = createTokenSource(async () => tokenOf('second'), tokenOf('first', ageMs));
    expect(await source.token()).toBe(expected);
  });

  it('requests one token at a time, and stores it before it is used', async () => {
    const steps: string[] = [];
    const source = createTokenSource(async () => {
      steps.push('request');
      return {
        ...tokenOf('a'),
        store: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          steps.push('store');
        },
      };
    });
    await Promise.all([1, 2, 3].map(() => source.token().then(() => steps.push('use'))));
    expect(steps).toEqual(['request', 'store', 'use', 'use', 'use']);
  });

  it('keeps a token that is still valid when a new one cannot be requested', async () => {
    const fails = async () => {
      throw new Error('no connection');
    };
    expect(await createTokenSource(fails, tokenOf('first', 99_000)).token()).toBe('first');
    await expect(createTokenSource(fails, tokenOf('first', 101_000)).token()).rejects.toThrow('no connection');
  });

  it('stores a token again that could not be stored, and requests no other', async () => {
    let requests = 0;
    let isFull = true;
    const stored: string[] = [];
    const source = createTokenSource(
      async () => {
        requests += 1;
        const value = String(requests);
        return {
          ...tokenOf(value),
          store: () => {
            if (isFull) throw new Error('disk full');
            stored.push(value);
          },
        };
      },
      tokenOf('first', 99_000),
    );
    await expect(source.token()).rejects.toThrow('disk full');
    isFull = false;
    expect(await source.token()).toBe('1');
    expect(stored).toEqual(['1']);
  });

  it('requests another token when a host rejected the one in use', async () => {
    const source = createTokenSource(async () => tokenOf('second'), tokenOf('first'));
    source.discard('older');
    expect(await source.token()).toBe('first');
    source.discard('first');
    expect(await source.token()).toBe('second');
  });
});
