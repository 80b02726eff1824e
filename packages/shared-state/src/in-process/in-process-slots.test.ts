import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CONTENTION_MS, type SlotRequest } from '../query-slots.ts';
import { InProcessSlots } from './in-process-slots.ts';

const LIMITS = { account: 2, tenant: 3 };
const QUEUE_LIMITS = { account: 2, tenant: 4 };
const requestOf = (id: string, accountId: string, sinceMs: number, tenantId = 'acme'): SlotRequest => ({
  id,
  tenantId,
  accountId,
  sinceMs,
});

describe('InProcessSlots', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const step = fc.record({
    kind: fc.constantFrom('acquire' as const, 'enqueue' as const, 'release' as const),
    number: fc.nat(29),
    waitMs: fc.constantFrom(0, 0, 100, CONTENTION_MS),
  });

  it('never exceeds a limit of running or queued requests, for random histories', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const slots = new InProcessSlots();
        const running = new Map<string, SlotRequest>();
        const queued = new Map<string, SlotRequest>();
        for (const [index, { kind, number, waitMs }] of steps.entries()) {
          await jest.advanceTimersByTimeAsync(waitMs);
          const request = requestOf(`${number}`, `account ${number % 3}`, index, `tenant ${number % 2}`);
          if (kind === 'release') {
            slots.release(request);
            running.delete(request.id);
            queued.delete(request.id);
          } else if (kind === 'acquire') {
            if ((await slots.acquire(request, LIMITS)) === 'acquired') {
              running.set(request.id, request);
              queued.delete(request.id);
            }
          } else if ((await slots.enqueue(request, QUEUE_LIMITS)) === 'queued') queued.set(request.id, request);
          assertWithin(running, LIMITS);
          assertWithin(queued, QUEUE_LIMITS);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('grants a released slot to the request that is first in fair order, and to others when it does not retry', async () => {
    const slots = new InProcessSlots();
    const limits = { account: 2, tenant: 2 };
    const [first, second] = [requestOf('1', 'ann', 1), requestOf('2', 'ann', 2)];
    for (const request of [first, second]) expect(await slots.acquire(request, limits)).toBe('acquired');
    const [modest, greedy] = [requestOf('3', 'bob', 4), requestOf('4', 'ann', 3)];
    expect(await slots.acquire(modest, limits)).toBe('tenant_full');
    slots.release(first);
    expect(await slots.acquire(greedy, limits)).toBe('tenant_full');
    await jest.advanceTimersByTimeAsync(CONTENTION_MS);
    expect(await slots.acquire(greedy, limits)).toBe('acquired');
    slots.release(second);
    expect(await slots.acquire(modest, limits)).toBe('acquired');
  });

  it('notifies listeners once for each released slot, and never for a queued request', async () => {
    const slots = new InProcessSlots();
    const released: string[] = [];
    const subscription = slots.onReleased((tenantId) => released.push(tenantId));
    const [running, queued] = [requestOf('1', 'ann', 1), requestOf('2', 'ann', 2)];
    await slots.acquire(running, LIMITS);
    await slots.enqueue(queued, QUEUE_LIMITS);
    slots.release(queued);
    slots.release(running);
    slots.release(running);
    expect(released).toEqual(['acme']);
    await slots.acquire(running, LIMITS);
    subscription[Symbol.dispose]();
    slots.release(running);
    expect(released).toEqual(['acme']);
  });

  it('acquires and enqueues the same request once', async () => {
    const slots = new InProcessSlots();
    const request = requestOf('1', 'ann', 1);
    const once = { account: 1, tenant: 1 };
    for (let time = 0; time < 2; time += 1) expect(await slots.enqueue(request, once)).toBe('queued');
    for (let time = 0; time < 2; time += 1) expect(await slots.acquire(request, once)).toBe('acquired');
    expect(await slots.acquire(requestOf('2', 'ann', 2), once)).toBe('account_full');
    expect(await slots.acquire(requestOf('3', 'bob', 3), once)).toBe('tenant_full');
    expect(await slots.enqueue(requestOf('4', 'bob', 4), once)).toBe('queued');
  });
});

function assertWithin(
  requests: ReadonlyMap<string, SlotRequest>,
  { account, tenant }: { readonly account: number; readonly tenant: number },
): void {
  const all = [...requests.values()];
  // One `expect` for all requests: it costs more than the counts.
  const exceeding = all.filter(({ tenantId, accountId }) => {
    const ofTenant = all.filter((one) => one.tenantId === tenantId);
    return ofTenant.length > tenant || ofTenant.filter((one) => one.accountId === accountId).length > account;
  });
  expect(exceeding).toEqual([]);
}
