import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createInProcessState, type QuerySlots } from '@sluice/shared-state';
import { MemoryWorkers } from '../../../testing/memory-workers.ts';
import { Admission } from './admission.ts';

const LIMITS = {
  slots: 8,
  backgroundSlots: 0,
  tenantShare: 0.5,
  queriesPerUser: 1,
  queriesPerTenant: 20,
  queuedPerUser: 5,
  queuedPerTenant: 500,
  queueTimeoutMs: 60_000,
};
const ann = { tenantId: 'acme', accountId: 'ann', engineKey: 'acme' };
const bob = { tenantId: 'acme', accountId: 'bob', engineKey: 'acme' };

const createAdmission = (slots: QuerySlots): Admission =>
  new Admission(LIMITS, { slots, workers: new MemoryWorkers(LIMITS.slots) });

/** Slots in this process that can be made unavailable, and whose results can be delayed. */
function createFailingSlots() {
  const { slots } = createInProcessState();
  const state = { isUnavailable: false, calls: 0, delay: Promise.resolve() };
  const intercept = async <T>(call: () => Promise<T>): Promise<T> => {
    state.calls += 1;
    if (state.isUnavailable) throw new ProblemError('service_unavailable', 'The slots are unavailable.');
    const result = await call();
    await state.delay;
    return result;
  };
  const failing: QuerySlots = {
    acquire: (request, limits) => intercept(() => slots.acquire(request, limits)),
    enqueue: (request, limits) => intercept(() => slots.enqueue(request, limits)),
    release: (request) => slots.release(request),
    onReleased: (listener) => slots.onReleased(listener),
  };
  return { state, failing };
}

describe('admission while the shared state is unavailable', () => {
  let { state, failing } = createFailingSlots();
  let admission = createAdmission(failing);
  const acquire = (requester = ann, signal = new AbortController().signal) => admission.acquire(requester, signal);
  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'admitted',
      (thrown: { code?: string }) => thrown.code ?? thrown,
    );

  beforeEach(() => {
    ({ state, failing } = createFailingSlots());
    admission = createAdmission(failing);
  });
  afterEach(() => {
    admission[Symbol.dispose]();
    jest.useRealTimers();
  });

  it('lets requests wait for a moment, and admits them when it becomes available in time', async () => {
    state.isUnavailable = true;
    const waiting = [outcomeOf(acquire(ann)), outcomeOf(acquire(bob))];
    setTimeout(() => {
      state.isUnavailable = false;
    }, 300);
    expect(await Promise.all(waiting)).toEqual(['admitted', 'admitted']);
    expect(admission.waiting).toBe(0);
  });

  it('fails all requests after that moment, with few calls', async () => {
    jest.useFakeTimers();
    state.isUnavailable = true;
    const waiting = Array.from({ length: 400 }, (_, index) =>
      outcomeOf(acquire({ tenantId: 'acme', accountId: `user-${index}`, engineKey: 'acme' })),
    );
    await jest.advanceTimersByTimeAsync(1_250);
    expect(admission.waiting).toBe(400);
    await jest.advanceTimersByTimeAsync(500);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['service_unavailable']));
    // Each request is enqueued once; the granted ones, and a periodic probe, acquire slots.
    expect(state.calls).toBeLessThan(400 + LIMITS.slots + 20);
    jest.useRealTimers();
    state.isUnavailable = false;
    expect(await outcomeOf(acquire())).toBe('admitted');
  });

  it('admits no request while the limits are unknown, and keeps the granted ones', async () => {
    const slot = await acquire();
    state.isUnavailable = true;
    expect(await outcomeOf(acquire())).toBe('service_unavailable');
    slot[Symbol.dispose]();
    state.isUnavailable = false;
    const next = await acquire();
    next[Symbol.dispose]();
    next[Symbol.dispose]();
    expect(await outcomeOf(acquire())).toBe('admitted');
  });

  it('enforces the queue limits of its own requests during an outage', async () => {
    state.isUnavailable = true;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(acquire())));
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests').length).toBeGreaterThanOrEqual(9);
  });

  it('releases a slot that was acquired after the request was aborted', async () => {
    let deliver = (): void => undefined;
    state.delay = new Promise((resolve) => {
      deliver = resolve;
    });
    const abort = new AbortController();
    const aborted = outcomeOf(acquire(ann, abort.signal));
    abort.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
    expect(await aborted).toBe('query_cancelled');
    deliver();
    state.delay = Promise.resolve();
    expect(await outcomeOf(acquire(ann))).toBe('admitted');
  });
});
