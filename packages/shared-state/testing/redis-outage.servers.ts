import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, until } from '@sluice/testkit';
import { type Claim, type ClaimLimits, openRedisState, type SharedState } from '../src/index.ts';
import { createRedisFixture, type RedisFixture, untilOpen } from './redis-fixture.ts';
import { startRedis } from './start-redis.ts';

const LIMITS: ClaimLimits = { account: 10, tenant: 2 };

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

const claimOf = (accountId: string): Claim => ({ id: randomUUID(), tenantId, accountId, sinceMs: Date.now() });
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((thrown: { code?: string }) => thrown.code ?? thrown);

/** Asks on both hosts without a pause until both know again, and answers all that was said meanwhile. */
async function askUntilKnown(withinMs: number): Promise<Set<unknown>> {
  const said = new Set<unknown>();
  const known = new Set<SharedState>();
  await until(
    async () => {
      for (const state of [one, other]) {
        const answer = await codeOf(state.places.take(claimOf('new'), LIMITS));
        said.add(answer);
        if (answer !== 'service_unavailable') known.add(state);
      }
      return known.size === 2 ? true : undefined;
    },
    { what: 'an answer of both hosts', withinMs },
  );
  return said;
}

async function fillPlaces(): Promise<readonly Claim[]> {
  const claims = [claimOf('a'), claimOf('b')];
  expect(await one.places.take(claims[0] as Claim, LIMITS)).toBe('taken');
  expect(await other.places.take(claims[1] as Claim, LIMITS)).toBe('taken');
  return claims;
}

/** What is held is known to all again, and only that. */
async function expectPlacesOf(claims: readonly Claim[]): Promise<void> {
  expect(await codeOf(one.places.take(claimOf('c'), LIMITS))).toBe('tenant_full');
  one.places.leave(claims[0] as Claim);
  const claim = claimOf('c');
  await until(async () => ((await other.places.take(claim, LIMITS)) === 'taken' ? true : undefined), {
    what: 'the place that was left',
    withinMs: 4_000,
  });
  other.places.leave(claim);
  other.places.leave(claims[1] as Claim);
}

const OUTAGES = {
  killed: async () => {
    await fixture.redis.kill();
    return () => fixture.redis.start();
  },
  'hung for longer than a lease': async () => {
    fixture.redis.hang();
    return async () => {
      await wait(7_000);
      fixture.redis.goOn();
    };
  },
} satisfies Record<string, () => Promise<() => Promise<void>>>;

describe('without Redis', () => {
  it.each(Object.keys(OUTAGES) as (keyof typeof OUTAGES)[])(
    '(%s) nothing is given, every answer comes in time, and afterwards everybody still holds what they held',
    async (how) => {
      const claims = await fillPlaces();
      const mend = await OUTAGES[how]();
      const begun = performance.now();
      const claim = claimOf('c');
      const asked = [one, other].flatMap((state) => [
        codeOf(state.places.take(claimOf('c'), LIMITS)),
        codeOf(state.places.queue(claim, LIMITS)),
        codeOf(state.values.get('key')),
        codeOf(state.values.put('key', 'value', 1_000)),
      ]);
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['service_unavailable']));
      expect(performance.now() - begun).toBeLessThan(3_000);
      await expect(one.check()).rejects.toThrow();
      for (const state of [one, other]) state.places.leave(claim);
      await mend();
      expect(await askUntilKnown(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
      await expectPlacesOf(claims);
    },
    120_000,
  );

  it.each(Object.keys(OUTAGES) as (keyof typeof OUTAGES)[])(
    '(%s) a host that finds it again later than others still holds what it held',
    async (how) => {
      await using proxy = await createDatabaseProxy(fixture.redis.url);
      const late = await fixture.openThrough(proxy.url);
      const kept = claimOf('a');
      expect(await late.places.take(kept, LIMITS)).toBe('taken');
      const own = claimOf('b');
      expect(await one.places.take(own, LIMITS)).toBe('taken');
      const mend = await OUTAGES[how]();
      proxy.cut();
      await mend();
      setTimeout(() => proxy.mend(), 1_200).unref();
      expect(await askUntilKnown(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
      one.places.leave(own);
      late.places.leave(kept);
      await late[Symbol.asyncDispose]();
    },
    120_000,
  );

  it('a short silence is no loss: what was asked meanwhile holds nothing in the end', async () => {
    const claims = await fillPlaces();
    fixture.redis.hang();
    const lost = claimOf('c');
    one.places.leave(claims[0] as Claim);
    expect(await codeOf(one.places.take(lost, LIMITS))).toBe('service_unavailable');
    fixture.redis.goOn();
    const claim = claimOf('d');
    await until(async () => ((await codeOf(other.places.take(claim, LIMITS))) === 'taken' ? true : undefined), {
      what: 'the place that was left',
      withinMs: 5_000,
    });
    other.places.leave(claim);
    other.places.leave(claims[1] as Claim);
  }, 120_000);
});

describe('a Redis that has lost what it knew', () => {
  it('gives nothing until the hosts have said what they hold', async () => {
    const claims = await fillPlaces();
    await fixture.redis.command('FLUSHALL');
    expect(await askUntilKnown(5_000)).toEqual(new Set(['service_unavailable', 'tenant_full']));
    await expectPlacesOf(claims);
  }, 120_000);

  it('is found out by whoever misses something, where only a part was lost', async () => {
    const claims = await fillPlaces();
    await fixture.redis.command('DEL', `test:{places}:running:${tenantId}`);
    await until(
      () =>
        one.check().then(
          () => undefined,
          () => true as const,
        ),
      { what: 'distrust', withinMs: 3_000 },
    );
    await untilOpen(one);
    await expectPlacesOf(claims);
  }, 120_000);

  it('runs its scripts again when it has lost those alone', async () => {
    await fixture.redis.command('SCRIPT', 'FLUSH');
    expect(await one.places.take(claimOf('a'), LIMITS)).toBe('taken');
  });
});

describe('a host that is gone', () => {
  it('loses its places within seconds, and a host that lives does not', async () => {
    const gone = await fixture.open();
    await gone.places.take(claimOf('a'), LIMITS);
    const kept = claimOf('b');
    await one.places.take(kept, LIMITS);
    // Closing gives nothing back: what is left of it is what a killed process leaves.
    await gone[Symbol.asyncDispose]();
    expect(await other.places.take(claimOf('c'), LIMITS)).toBe('tenant_full');
    const claim = claimOf('d');
    await until(async () => ((await other.places.take(claim, LIMITS)) === 'taken' ? true : undefined), {
      what: 'the place of the host that is gone',
      withinMs: 10_000,
    });
    expect(await other.places.take(claimOf('e'), LIMITS)).toBe('tenant_full');
  }, 120_000);
});

describe('the way to Redis', () => {
  it('takes a password, and tells a wrong one from the log without showing it', async () => {
    const password = 'p@ss:w/rd%21';
    await using redis = await startRedis({ password });
    const troubles: string[] = [];
    const options = { prefix: 'test:', name: 'host', onTrouble: (message: string) => void troubles.push(message) };
    const right = openRedisState({ ...options, url: redis.url });
    await untilOpen(right);
    await right[Symbol.asyncDispose]();
    expect(troubles).toEqual([]);
    const wrong = openRedisState({ ...options, url: redis.url.replace('redis://:', 'redis://:secret-') });
    const problem = await until(
      () =>
        wrong.places.take(claimOf('a'), LIMITS).then(
          () => undefined,
          (thrown: unknown) => (troubles.length > 0 ? (thrown as Error) : undefined),
        ),
      { what: 'a refusal', withinMs: 5_000 },
    );
    expect(troubles.join()).toMatch(/WRONGPASS/);
    expect(JSON.stringify([troubles, problem, problem.cause, Object.entries(problem.cause ?? {})])).not.toMatch(
      /secret-/,
    );
    await wrong[Symbol.asyncDispose]();
  }, 120_000);

  it('may lead to a node of a cluster: what a script touches has one slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    await using redis = await startRedis({ args: ['--cluster-enabled', 'yes', '--dir', folder] });
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    const state = openRedisState({ url: redis.url, prefix: 'test:', name: 'host', onTrouble: () => undefined });
    await untilOpen(state, 15_000);
    const [first, second] = [claimOf('a'), claimOf('b')];
    expect(await state.places.take(first, { account: 1, tenant: 1 })).toBe('taken');
    expect(await state.places.queue(second, LIMITS)).toBe('queued');
    expect(await state.places.take(second, { account: 1, tenant: 1 })).toBe('tenant_full');
    await state.check();
    state.places.leave(first);
    expect(await state.places.take(second, { account: 1, tenant: 1 })).toBe('taken');
    await state[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }, 120_000);

  it('is tried for ever without a Redis, and closes at once', async () => {
    const state = openRedisState({ url: 'redis://127.0.0.1:1', prefix: '', name: 'host', onTrouble: () => undefined });
    expect(await codeOf(state.places.take(claimOf('a'), LIMITS))).toBe('service_unavailable');
    const begun = performance.now();
    await state[Symbol.asyncDispose]();
    expect(performance.now() - begun).toBeLessThan(1_500);
  });
});
