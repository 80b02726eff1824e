import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { SharedState, SlotLimits, SlotRequest } from '../src/index.ts';
import { assertSameOrder } from './assert-same-order.ts';
import { describeOneTimeValues } from './one-time-values-contract.ts';
import type { StateFixture } from './state-fixture.ts';

const LIMITS: SlotLimits = { account: 2, tenant: 3 };

/** Contract of every shared state. Two hosts share it; every test has its own tenant. */
export function describeSharedState(name: string, createFixture: () => Promise<StateFixture>): void {
  let fixture: StateFixture;
  let one: SharedState;
  let other: SharedState;
  let tenantId: string;
  let sinceMs = 1_700_000_000_000;

  beforeAll(async () => {
    fixture = await createFixture();
    [one, other] = await Promise.all([fixture.open(), fixture.open()]);
  }, 60_000);
  afterAll(async () => await fixture?.[Symbol.asyncDispose]());
  beforeEach(() => {
    tenantId = randomUUID();
  });

  const requestOf = (accountId: string): SlotRequest => {
    sinceMs += 1;
    return { id: randomUUID(), tenantId, accountId, sinceMs };
  };
  const acquire = (state: SharedState, accountId: string) => state.slots.acquire(requestOf(accountId), LIMITS);

  describe(`slots of ${name}`, () => {
    it('are limited for an account and its tenant over all hosts', async () => {
      expect(await acquire(one, 'a')).toBe('acquired');
      expect(await acquire(other, 'a')).toBe('acquired');
      expect(await acquire(one, 'a')).toBe('account_full');
      expect(await acquire(other, 'a')).toBe('account_full');
      expect(await acquire(other, 'b')).toBe('acquired');
      expect(await acquire(one, 'b')).toBe('tenant_full');
    });

    it('are limited for many concurrent requests', async () => {
      const hosts = [one, other];
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => acquire(hosts[index % 2] ?? one, `account-${index % 5}`)),
      );
      expect(results.filter((result) => result === 'acquired')).toHaveLength(3);
    });

    it('are limited for each tenant separately', async () => {
      for (const account of ['a', 'b', 'c']) await acquire(one, account);
      expect(await acquire(one, 'd')).toBe('tenant_full');
      tenantId = randomUUID();
      expect(await acquire(other, 'a')).toBe('acquired');
    });

    it('become free once when they are released, and waiting hosts are notified', async () => {
      const requests = ['a', 'b', 'c'].map(requestOf);
      for (const request of requests) await one.slots.acquire(request, LIMITS);
      const waiting = requestOf('d');
      await other.slots.enqueue(waiting, { account: 10, tenant: 10 });
      expect(await other.slots.acquire(waiting, LIMITS)).toBe('tenant_full');
      const notified: string[] = [];
      using _ = other.slots.onReleased((tenant) => notified.push(tenant));
      for (let time = 0; time < 3; time += 1) one.slots.release(requests[0] as SlotRequest);
      await until(() => notified.includes(tenantId) || undefined, { what: 'a release' });
      expect(await other.slots.acquire(waiting, LIMITS)).toBe('acquired');
      expect(await acquire(other, 'e')).toBe('tenant_full');
    });

    it('go to the account with the fewest slots, then to the longest wait, on any host', async () => {
      const runs = ['a', 'a', 'b'].map(requestOf);
      for (const request of runs) await one.slots.acquire(request, LIMITS);
      const [greedy, modest, late] = [requestOf('b'), requestOf('c'), requestOf('d')];
      for (const request of [greedy, late]) expect(await one.slots.acquire(request, LIMITS)).toBe('tenant_full');
      expect(await other.slots.acquire(modest, LIMITS)).toBe('tenant_full');
      one.slots.release(runs[0] as SlotRequest);
      expect(await one.slots.acquire(greedy, LIMITS)).toBe('tenant_full');
      expect(await one.slots.acquire(late, LIMITS)).toBe('tenant_full');
      expect(await other.slots.acquire(modest, LIMITS)).toBe('acquired');
    });

    it('are not reserved for a request that does not retry', async () => {
      const runs = ['a', 'b', 'c'].map(requestOf);
      for (const request of runs) await one.slots.acquire(request, LIMITS);
      expect(await other.slots.acquire(requestOf('gone'), LIMITS)).toBe('tenant_full');
      const greedy = requestOf('a');
      one.slots.release(runs[1] as SlotRequest);
      await until(async () => ((await one.slots.acquire(greedy, LIMITS)) === 'acquired' ? true : undefined), {
        what: 'the slot',
      });
    });

    it('are acquired once by the same request', async () => {
      const request = requestOf('a');
      expect([await one.slots.acquire(request, LIMITS), await one.slots.acquire(request, LIMITS)]).toEqual([
        'acquired',
        'acquired',
      ]);
      expect(await acquire(other, 'a')).toBe('acquired');
      expect(await acquire(other, 'a')).toBe('account_full');
    });

    it('are not held by a request that is released while it acquires', async () => {
      const requests = ['a', 'b', 'c'].map(requestOf);
      const acquisitions = requests.map((request) => one.slots.acquire(request, LIMITS));
      for (const request of requests) one.slots.release(request);
      await Promise.all(acquisitions);
      await until(async () => ((await acquire(other, 'd')) === 'acquired' ? true : undefined), {
        what: 'a slot',
      });
    });
  });

  describe(`the order of grants of ${name}`, () => {
    it('is that of fairOrder, for random histories of two hosts', async () => {
      await assertSameOrder(() => [one, other]);
    }, 60_000);
  });

  describe(`the queue of ${name}`, () => {
    it('is limited for an account and its tenant over all hosts', async () => {
      const limits = { account: 2, tenant: 3 };
      const queue = (state: SharedState, account: string) => state.slots.enqueue(requestOf(account), limits);
      expect([await queue(one, 'a'), await queue(other, 'a')]).toEqual(['queued', 'queued']);
      expect(await queue(one, 'a')).toBe('account_queue_full');
      expect(await queue(one, 'b')).toBe('queued');
      expect(await queue(other, 'c')).toBe('tenant_queue_full');
    });

    it('is left by requests that acquire a slot and by released ones', async () => {
      const limits = { account: 1, tenant: 1 };
      const [first, second] = [requestOf('a'), requestOf('a')];
      expect(await one.slots.enqueue(first, limits)).toBe('queued');
      expect(await one.slots.acquire(first, LIMITS)).toBe('acquired');
      expect(await other.slots.enqueue(second, limits)).toBe('queued');
      other.slots.release(second);
      await until(async () => ((await one.slots.enqueue(requestOf('a'), limits)) === 'queued' ? true : undefined), {
        what: 'room in the queue',
      });
    });
  });

  describe(`values of ${name}`, () => {
    it('are visible to every host, replaced whole, and gone after their time to live', async () => {
      const key = randomUUID();
      expect(await other.values.get(key)).toBeUndefined();
      await one.values.put(key, 'first', 60_000);
      await one.values.put(key, 'ünï😀\0\n"', 60_000);
      expect(await other.values.get(key)).toBe('ünï😀\0\n"');
      await one.values.put(key, 'short-lived', 50);
      await wait(60);
      expect(await other.values.get(key)).toBeUndefined();
    });
  });

  describeOneTimeValues(name, () => [one, other]);
}
