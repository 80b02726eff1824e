import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

/** Slots in this process that can be away, and whose answers can be held back. */
function createFailingSlots() {
  const { slots } = createInProcessState();
  const state = { isAway: false, asked: 0, delay: Promise.resolve() };
  const answer = async <T>(ask: () => Promise<T>): Promise<T> => {
    state.asked += 1;
    if (state.isAway) throw new ProblemError('service_unavailable', 'The slots cannot be asked.');
    const known = await ask();
    await state.delay;
    return known;
  };
  const failing: QuerySlots = {
    acquire: (request, limits) => answer(() => slots.acquire(request, limits)),
    enqueue: (request, limits) => answer(() => slots.enqueue(request, limits)),
    release: (request) => slots.release(request),
    onReleased: (listener) => slots.onReleased(listener),
  };
  return { state, failing };
}

describe('admission without the shared state', () => {
  let { state, failing } = createFailingSlots();
  let admission = createAdmission(failing);
  const enter = (requester = ann, signal = new AbortController().signal) => admission.acquire(requester, signal);
  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'admitted',
      (thrown: { code?: string }) => thrown.code ?? thrown,
    );

  beforeEach(() => {
    ({ state, failing } = createFailingSlots());
    admission = createAdmission(failing);
  });
  afterEach(() => admission[Symbol.dispose]());

  it('waits for a moment, and admits whoever waited when it is back in time', async () => {
    state.isAway = true;
    const waiting = [outcomeOf(enter(ann)), outcomeOf(enter(bob))];
    setTimeout(() => {
      state.isAway = false;
    }, 300);
    expect(await Promise.all(waiting)).toEqual(['admitted', 'admitted']);
    expect(admission.waiting).toBe(0);
  });

  it('says so after that, to everybody, without asking for each of them', async () => {
    state.isAway = true;
    const begun = performance.now();
    const waiting = Array.from({ length: 400 }, (_, index) =>
      outcomeOf(enter({ tenantId: 'acme', accountId: `user-${index}`, engineKey: 'acme' })),
    );
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['service_unavailable']));
    expect(performance.now() - begun).toBeLessThan(3_000);
    // Each is queued once; the slots, and a probe now and then, ask for places.
    expect(state.asked).toBeLessThan(400 + LIMITS.slots + 20);
    state.isAway = false;
    expect(await outcomeOf(enter())).toBe('admitted');
  });

  it('lets nobody in whose limit is not known, and ends nothing that runs', async () => {
    const slot = await enter();
    state.isAway = true;
    expect(await outcomeOf(enter())).toBe('service_unavailable');
    slot[Symbol.dispose]();
    state.isAway = false;
    const next = await enter();
    next[Symbol.dispose]();
    next[Symbol.dispose]();
    expect(await outcomeOf(enter())).toBe('admitted');
  });

  it('keeps the queue short meanwhile', async () => {
    state.isAway = true;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(enter())));
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests').length).toBeGreaterThanOrEqual(9);
  });

  it('gives back a place whose answer came when nobody waited for it any more', async () => {
    let answerNow = (): void => undefined;
    state.delay = new Promise((resolve) => {
      answerNow = resolve;
    });
    const leaving = new AbortController();
    const left = outcomeOf(enter(ann, leaving.signal));
    leaving.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
    expect(await left).toBe('query_cancelled');
    answerNow();
    state.delay = Promise.resolve();
    expect(await outcomeOf(enter(ann))).toBe('admitted');
  });
});
