import { describe, expect, it } from '@jest/globals';
import { shareLookups } from './share-lookups.ts';

/** Creates a lookup that completes when the test says so, in the order of its calls. */
function createLookup() {
  const calls: { readonly parts: readonly string[]; readonly settle: (value: string | Error) => void }[] = [];
  const find = shareLookups(
    (...parts: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const settle = (value: string | Error) => (value instanceof Error ? reject(value) : resolve(value));
        calls.push({ parts, settle });
      }),
  );
  return { find, calls };
}

const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('shared lookups', () => {
  it('run twice for a thousand concurrent calls, and no call gets a result that is older than the call', async () => {
    const { find, calls } = createLookup();
    const first = find('acme', 'ann');
    const others = Array.from({ length: 999 }, () => find('acme', 'ann'));
    expect(calls).toHaveLength(1);
    calls[0]?.settle('before');
    expect(await first).toBe('before');
    await microtasks();
    expect(calls).toHaveLength(2);
    calls[1]?.settle('after');
    expect(new Set(await Promise.all(others))).toEqual(new Set(['after']));
    expect(calls).toHaveLength(2);
  });

  it('run again when no call is pending', async () => {
    const { find, calls } = createLookup();
    for (const [index, value] of ['one', 'two'].entries()) {
      const result = find('acme', 'ann');
      calls[index]?.settle(value);
      expect(await result).toBe(value);
    }
  });

  it('are shared by calls with equal arguments only', async () => {
    const { find, calls } = createLookup();
    const argumentLists = [
      ['a', 'b'],
      ['a', 'c'],
      ['a","b', 'b'],
      ['ab', ''],
    ];
    const results = argumentLists.map((parts) => find(...parts));
    expect(calls.map(({ parts }) => parts)).toEqual(argumentLists);
    for (const [index, { settle }] of calls.entries()) settle(String(index));
    expect(await Promise.all(results)).toEqual(['0', '1', '2', '3']);
  });

  it('fail for all pending calls, and run again for the next call', async () => {
    const { find, calls } = createLookup();
    const results = [1, 2, 3].map(() => find('acme'));
    calls[0]?.settle(new Error('down'));
    expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    const again = find('acme');
    expect(calls).toHaveLength(2);
    calls[1]?.settle('up');
    expect(await again).toBe('up');
  });
});
