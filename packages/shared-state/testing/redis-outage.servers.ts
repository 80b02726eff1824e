import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, until } from '@sluice/testkit';
import { openRedisState, type SharedState, type SlotLimits, type SlotRequest } from '../src/index.ts';
import { createRedisFixture, type RedisFixture, untilOpen } from './redis-fixture.ts';
import { startRedis } from './start-redis.ts';

const LIMITS: SlotLimits = { account: 10, tenant: 2 };

let fixture: RedisFixture;
let one: SharedState;
let other: SharedState;
let tenantId: string;

beforeAll(async () => {
  fixture = await createRedisFixture();
  [one, other] = await Promise.all([fixture.open(), fixture.open()]);
}, 60_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());
beforeEach(() => {
  tenantId = randomUUID();
});

const requestOf = (accountId: string): SlotRequest => ({ id: randomUUID(), tenantId, accountId, sinceMs: Date.now() });
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((thrown: { code?: string }) => thrown.code ?? thrown);

/** Acquires on both hosts without a pause until both are available again. Returns all results. */
async function acquireUntilAvailable(withinMs: number): Promise<Set<unknown>> {
  const results = new Set<unknown>();
  const available = new Set<SharedState>();
  await until(
    async () => {
      for (const state of [one, other]) {
        const result = await codeOf(state.slots.acquire(requestOf('new'), LIMITS));
        results.add(result);
        if (result !== 'service_unavailable') available.add(state);
      }
      return available.size === 2 ? true : undefined;
    },
    { what: 'a reply to both hosts', withinMs },
  );
  return results;
}

async function fillSlots(): Promise<readonly SlotRequest[]> {
  const requests = [requestOf('a'), requestOf('b')];
  expect(await one.slots.acquire(requests[0] as SlotRequest, LIMITS)).toBe('acquired');
  expect(await other.slots.acquire(requests[1] as SlotRequest, LIMITS)).toBe('acquired');
  return requests;
}

/** Asserts that these requests, and no others, hold the slots of the tenant. */
async function assertHeldBy(requests: readonly SlotRequest[]): Promise<void> {
  expect(await codeOf(one.slots.acquire(requestOf('c'), LIMITS))).toBe('tenant_full');
  one.slots.release(requests[0] as SlotRequest);
  const request = requestOf('c');
  await until(async () => ((await other.slots.acquire(request, LIMITS)) === 'acquired' ? true : undefined), {
    what: 'the released slot',
    withinMs: 4_000,
  });
  other.slots.release(request);
  other.slots.release(requests[1] as SlotRequest);
}

const OUTAGES = {
  killed: async () => {
    await fixture.redis.kill();
    return () => fixture.redis.start();
  },
  'suspended for longer than a lease': async () => {
    fixture.redis.suspend();
    return async () => {
      await wait(7_000);
      fixture.redis.resume();
    };
  },
} satisfies Record<string, () => Promise<() => Promise<void>>>;

describe('without Redis', () => {
  it.each(Object.keys(OUTAGES) as (keyof typeof OUTAGES)[])(
    '(%s) no slot is granted, every call fails in time, and all requests hold their slots afterwards',
    async (how) => {
      const requests = await fillSlots();
      const end = await OUTAGES[how]();
      const startedMs = performance.now();
      const request = requestOf('c');
      const results = [one, other].flatMap((state) => [
        codeOf(state.slots.acquire(requestOf('c'), LIMITS)),
        codeOf(state.slots.enqueue(request, LIMITS)),
        codeOf(state.values.get('key')),
        codeOf(state.values.put('key', 'value', 1_000)),
      ]);
      expect(new Set(await Promise.all(results))).toEqual(new Set(['service_unavailable']));
      expect(performance.now() - startedMs).toBeLessThan(3_000);
      await expect(one.check()).rejects.toThrow();
      for (const state of [one, other]) state.slots.release(request);
      await end();
      expect(await acquireUntilAvailable(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
      await assertHeldBy(requests);
    },
    120_000,
  );

  it.each(Object.keys(OUTAGES) as (keyof typeof OUTAGES)[])(
    '(%s) a host that reconnects later than others still holds its slots',
    async (how) => {
      await using proxy = await createDatabaseProxy(fixture.redis.url);
      const late = await fixture.openThrough(proxy.url);
      const kept = requestOf('a');
      expect(await late.slots.acquire(kept, LIMITS)).toBe('acquired');
      const own = requestOf('b');
      expect(await one.slots.acquire(own, LIMITS)).toBe('acquired');
      const end = await OUTAGES[how]();
      proxy.cut();
      await end();
      setTimeout(() => proxy.restore(), 1_200).unref();
      expect(await acquireUntilAvailable(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
      one.slots.release(own);
      late.slots.release(kept);
      await late[Symbol.asyncDispose]();
    },
    120_000,
  );

  it('a short outage loses no data, and requests that failed meanwhile hold no slot', async () => {
    const requests = await fillSlots();
    fixture.redis.suspend();
    const lost = requestOf('c');
    one.slots.release(requests[0] as SlotRequest);
    expect(await codeOf(one.slots.acquire(lost, LIMITS))).toBe('service_unavailable');
    fixture.redis.resume();
    const request = requestOf('d');
    await until(async () => ((await codeOf(other.slots.acquire(request, LIMITS))) === 'acquired' ? true : undefined), {
      what: 'the released slot',
      withinMs: 5_000,
    });
    other.slots.release(request);
    other.slots.release(requests[1] as SlotRequest);
  }, 120_000);
});

describe('a Redis that has lost its data', () => {
  it('grants no slot until the hosts have reported what they hold', async () => {
    const requests = await fillSlots();
    await fixture.redis.command('FLUSHALL');
    expect(await acquireUntilAvailable(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
    await assertHeldBy(requests);
  }, 120_000);

  it('is detected by a host whose requests are missing, where only a part was lost', async () => {
    const requests = await fillSlots();
    await fixture.redis.command('DEL', `test:{places}:running:${tenantId}`);
    await until(
      () =>
        one.check().then(
          () => undefined,
          () => true as const,
        ),
      { what: 'a failed check', withinMs: 3_000 },
    );
    await untilOpen(one);
    await assertHeldBy(requests);
  }, 120_000);

  it('gets its scripts again when it has lost only those', async () => {
    await fixture.redis.command('SCRIPT', 'FLUSH');
    expect(await one.slots.acquire(requestOf('a'), LIMITS)).toBe('acquired');
  });
});

describe('a host that has died', () => {
  it('loses its slots within seconds, while a live host keeps them', async () => {
    const gone = await fixture.open();
    await gone.slots.acquire(requestOf('a'), LIMITS);
    const kept = requestOf('b');
    await one.slots.acquire(kept, LIMITS);
    // Closing releases nothing, so what remains is what a killed process leaves.
    await gone[Symbol.asyncDispose]();
    expect(await other.slots.acquire(requestOf('c'), LIMITS)).toBe('tenant_full');
    const request = requestOf('d');
    await until(async () => ((await other.slots.acquire(request, LIMITS)) === 'acquired' ? true : undefined), {
      what: 'the slot of the dead host',
      withinMs: 10_000,
    });
    expect(await other.slots.acquire(requestOf('e'), LIMITS)).toBe('tenant_full');
  }, 120_000);
});

describe('the connection to Redis', () => {
  it('uses a password, and reports a wrong one without showing it', async () => {
    const password = 'p@ss:w/rd%21';
    await using redis = await startRedis({ password });
    const warnings: string[] = [];
    const options = { prefix: 'test:', name: 'host', onWarning: (message: string) => void warnings.push(message) };
    const right = openRedisState({ ...options, url: redis.url });
    await untilOpen(right);
    await right[Symbol.asyncDispose]();
    expect(warnings).toEqual([]);
    const wrong = openRedisState({ ...options, url: redis.url.replace('redis://:', 'redis://:secret-') });
    const problem = await until(
      () =>
        wrong.slots.acquire(requestOf('a'), LIMITS).then(
          () => undefined,
          (thrown: unknown) => (warnings.length > 0 ? (thrown as Error) : undefined),
        ),
      { what: 'a rejection', withinMs: 5_000 },
    );
    expect(warnings.join()).toMatch(/WRONGPASS/);
    expect(JSON.stringify([warnings, problem, problem.cause, Object.entries(problem.cause ?? {})])).not.toMatch(
      /secret-/,
    );
    await wrong[Symbol.asyncDispose]();
  }, 120_000);

  it('works with a node of a cluster, since all keys of a script have the same hash slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    await using redis = await startRedis({ args: ['--cluster-enabled', 'yes', '--dir', folder] });
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    const state = openRedisState({ url: redis.url, prefix: 'test:', name: 'host', onWarning: () => undefined });
    await untilOpen(state);
    const [first, second] = [requestOf('a'), requestOf('b')];
    expect(await state.slots.acquire(first, { account: 1, tenant: 1 })).toBe('acquired');
    expect(await state.slots.enqueue(second, LIMITS)).toBe('queued');
    expect(await state.slots.acquire(second, { account: 1, tenant: 1 })).toBe('tenant_full');
    await state.check();
    state.slots.release(first);
    expect(await state.slots.acquire(second, { account: 1, tenant: 1 })).toBe('acquired');
    await state[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }, 120_000);

  it('is retried for as long as there is no Redis, and closes immediately', async () => {
    const state = openRedisState({ url: 'redis://127.0.0.1:1', prefix: '', name: 'host', onWarning: () => undefined });
    expect(await codeOf(state.slots.acquire(requestOf('a'), LIMITS))).toBe('service_unavailable');
    const startedMs = performance.now();
    await state[Symbol.asyncDispose]();
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });
});
