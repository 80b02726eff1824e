import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { OneTimeValue, SharedState } from '../src/index.ts';

const LIMITS = { ttlMs: 60_000, groupMax: 3 };

/** Contract of one-time values, which two hosts share. */
export function describeOneTimeValues(name: string, hosts: () => readonly [SharedState, SharedState]): void {
  describe(`one-time values of ${name}`, () => {
    let group: string;
    beforeEach(() => {
      group = randomUUID();
    });
    const newValue = (value = 'v'): OneTimeValue => ({ key: randomUUID(), group, value });
    const values = () => hosts().map(({ oneTimeValues }) => oneTimeValues);

    it('are read by any host until one of them takes them', async () => {
      const [one, other] = values();
      const value = newValue('ünï😀\0\n"');
      expect(await one?.put(value, LIMITS)).toBe(true);
      expect([await one?.read(value.key), await other?.read(value.key)]).toEqual([value.value, value.value]);
      expect(await other?.take(value)).toBe(value.value);
      expect([await one?.take(value), await one?.read(value.key)]).toEqual([undefined, undefined]);
    });

    it('are received by one of many concurrent takers', async () => {
      const [one, other] = values();
      const value = newValue();
      await one?.put(value, LIMITS);
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other)?.take(value)),
      );
      expect(taken.filter((found) => found !== undefined)).toEqual(['v']);
    });

    it('are not taken with another group, nor without having been stored', async () => {
      const [one, other] = values();
      const value = newValue();
      await one?.put(value, LIMITS);
      expect(await other?.take({ key: value.key, group: randomUUID() })).toBeUndefined();
      expect(await other?.take({ key: randomUUID(), group })).toBeUndefined();
      expect(await other?.take(value)).toBe('v');
    });

    it('are limited for a group over all hosts, and make room when they are taken', async () => {
      const [one, other] = values();
      const first = newValue();
      expect([await one?.put(first, LIMITS), await other?.put(newValue(), LIMITS)]).toEqual([true, true]);
      expect([await one?.put(newValue(), LIMITS), await other?.put(newValue(), LIMITS)]).toEqual([true, false]);
      await other?.take(first);
      expect(await one?.put(newValue(), LIMITS)).toBe(true);
      expect(await one?.put({ ...newValue(), group: randomUUID() }, LIMITS)).toBe(true);
    });

    it('are gone after their time to live, and make room then', async () => {
      const [one, other] = values();
      const short = { ttlMs: 50, groupMax: 1 };
      const value = newValue();
      expect(await one?.put(value, short)).toBe(true);
      await until(async () => ((await other?.read(value.key)) === undefined ? true : undefined), {
        what: 'the end of the value',
      });
      expect(await other?.take(value)).toBeUndefined();
      expect(await other?.put(newValue(), LIMITS)).toBe(true);
    });
  });
}
