import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { SharedState, SlotLimits, SlotRequest } from '../src/index.ts';
import { assertSameOrder } from './assert-same-order.ts';
import type { StateFixture } from './state-fixture.ts';

const LIMITS: SlotLimits = { account: 2, tenant: 3 };

/** What holds of the shared state wherever it stands. Two hosts share it; every test has a tenant of its own. */
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
  const take = (state: SharedState, accountId: string) => state.slots.acquire(requestOf(accountId), LIMITS);

  describe(`places of ${name}`, () => {
    it('are no more than an account and its tenant may have, on all hosts together', async () => {
      expect(await take(one, 'a')).toBe('acquired');
      expect(await take(other, 'a')).toBe('acquired');
      expect(await take(one, 'a')).toBe('account_full');
      expect(await take(other, 'a')).toBe('account_full');
      expect(await take(other, 'b')).toBe('acquired');
      expect(await take(one, 'b')).toBe('tenant_full');
    });

    it('are never more than that, however many ask at once', async () => {
      const hosts = [one, other];
      const asked = Array.from({ length: 40 }, (_, index) => take(hosts[index % 2] ?? one, `account-${index % 5}`));
      const answers = await Promise.all(asked);
      expect(answers.filter((answer) => answer === 'acquired')).toHaveLength(3);
    });

    it('of one tenant are not those of another', async () => {
      for (const account of ['a', 'b', 'c']) await take(one, account);
      expect(await take(one, 'd')).toBe('tenant_full');
      tenantId = randomUUID();
      expect(await take(other, 'a')).toBe('acquired');
    });

    it('come back when they are left, once, and those who wait on any host are told', async () => {
      const requests = ['a', 'b', 'c'].map(requestOf);
      for (const request of requests) await one.slots.acquire(request, LIMITS);
      const waiting = requestOf('d');
      await other.slots.enqueue(waiting, { account: 10, tenant: 10 });
      expect(await other.slots.acquire(waiting, LIMITS)).toBe('tenant_full');
      const freed: string[] = [];
      using _ = other.slots.onReleased((tenant) => freed.push(tenant));
      for (let time = 0; time < 3; time += 1) one.slots.release(requests[0] as SlotRequest);
      await until(() => freed.includes(tenantId) || undefined, { what: 'the word of a free place', withinMs: 3_000 });
      expect(await other.slots.acquire(waiting, LIMITS)).toBe('acquired');
      expect(await take(other, 'e')).toBe('tenant_full');
    });

    it('go to whoever runs least, then to whoever waits longest, whichever host they ask', async () => {
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

    it('are not kept for somebody who does not come for them', async () => {
      const runs = ['a', 'b', 'c'].map(requestOf);
      for (const request of runs) await one.slots.acquire(request, LIMITS);
      expect(await other.slots.acquire(requestOf('gone'), LIMITS)).toBe('tenant_full');
      const greedy = requestOf('a');
      one.slots.release(runs[1] as SlotRequest);
      await until(async () => ((await one.slots.acquire(greedy, LIMITS)) === 'acquired' ? true : undefined), {
        what: 'the place',
        withinMs: 5_000,
      });
    });

    it('asked for twice by one request are one place', async () => {
      const request = requestOf('a');
      expect([await one.slots.acquire(request, LIMITS), await one.slots.acquire(request, LIMITS)]).toEqual([
        'acquired',
        'acquired',
      ]);
      expect(await take(other, 'a')).toBe('acquired');
      expect(await take(other, 'a')).toBe('account_full');
    });

    it('left while they are asked for are not taken', async () => {
      const requests = ['a', 'b', 'c'].map(requestOf);
      const asked = requests.map((request) => one.slots.acquire(request, LIMITS));
      for (const request of requests) one.slots.release(request);
      await Promise.all(asked);
      await until(async () => ((await take(other, 'd')) === 'acquired' ? true : undefined), {
        what: 'a place',
        withinMs: 3_000,
      });
    });
  });

  describe(`the order of grants of ${name}`, () => {
    it('is the one of fairOrder, on random histories of two hosts', async () => {
      await assertSameOrder(() => [one, other]);
    }, 60_000);
  });

  describe(`the queue of ${name}`, () => {
    it('has no more than an account and its tenant may have in it, on all hosts together', async () => {
      const limits = { account: 2, tenant: 3 };
      const queue = (state: SharedState, account: string) => state.slots.enqueue(requestOf(account), limits);
      expect([await queue(one, 'a'), await queue(other, 'a')]).toEqual(['queued', 'queued']);
      expect(await queue(one, 'a')).toBe('account_queue_full');
      expect(await queue(one, 'b')).toBe('queued');
      expect(await queue(other, 'c')).toBe('tenant_queue_full');
    });

    it('is left by who gets a place, and by who gives up', async () => {
      const limits = { account: 1, tenant: 1 };
      const [first, second] = [requestOf('a'), requestOf('a')];
      expect(await one.slots.enqueue(first, limits)).toBe('queued');
      expect(await one.slots.acquire(first, LIMITS)).toBe('acquired');
      expect(await other.slots.enqueue(second, limits)).toBe('queued');
      other.slots.release(second);
      await until(async () => ((await one.slots.enqueue(requestOf('a'), limits)) === 'queued' ? true : undefined), {
        what: 'room in the queue',
        withinMs: 3_000,
      });
    });
  });

  describe(`values of ${name}`, () => {
    it('are seen by every host, replaced whole, and gone after their time', async () => {
      const key = randomUUID();
      expect(await other.values.get(key)).toBeUndefined();
      await one.values.put(key, 'first', 60_000);
      await one.values.put(key, 'ünï😀\0\n"', 60_000);
      expect(await other.values.get(key)).toBe('ünï😀\0\n"');
      await one.values.put(key, 'soon gone', 50);
      await wait(60);
      expect(await other.values.get(key)).toBeUndefined();
    });
  });
}
