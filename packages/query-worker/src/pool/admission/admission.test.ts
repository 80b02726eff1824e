import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { MemoryWorkers } from '../../../testing/memory-workers.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import type { WorkerRequester } from './requester.ts';

const limits: AdmissionLimits = {
  slots: 5,
  backgroundSlots: 0,
  tenantShare: 0.5,
  queriesPerUser: 8,
  queriesPerTenant: 20,
  queuedPerUser: 100,
  queuedPerTenant: 500,
  queueTimeoutMs: 60_000,
};
const admissionOf = (own: AdmissionLimits, workers = new MemoryWorkers(own.slots)): Admission =>
  new Admission(own, { slots: createInProcessState().slots, workers });
const user = (accountId: string, tenantId = 'acme'): WorkerRequester => ({ tenantId, accountId, engineKey: tenantId });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'granted',
    (thrown: unknown) => (thrown instanceof ProblemError ? thrown.code : String(thrown)),
  );
const release = async (lease: Promise<Disposable> | undefined): Promise<void> => (await lease)?.[Symbol.dispose]();
/** Grants are made in microtasks here. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('admission', () => {
  let test = new AbortController();
  beforeEach(() => {
    test = new AbortController();
  });
  afterEach(() => test.abort(new Error('the test is over')));

  /** Acquires until the end of the test: a request that still waits then is aborted, and its rejection is ignored. */
  const acquire = (admission: Admission, requester: WorkerRequester): Promise<Disposable> => {
    const lease = admission.acquire(requester, AbortSignal.any([test.signal]));
    lease.catch(() => undefined);
    return lease;
  };
  const acquireMany = (admission: Admission, requester: WorkerRequester, count: number): Promise<Disposable>[] =>
    Array.from({ length: count }, () => acquire(admission, requester));

  it('leaves slots to other accounts and tenants, however many requests one account sends', async () => {
    const admission = admissionOf({ ...limits, slots: 9 });
    acquireMany(admission, user('greedy'), 50);
    await settle();
    expect(admission.waiting).toBe(44); // 6 of the 8 slots that a tenant may hold alone
    expect(await codeOf(acquire(admission, user('modest')))).toBe('granted');
    acquireMany(admission, user('another'), 10);
    await settle();
    expect(admission.waiting).toBe(53);
    expect(await codeOf(acquire(admission, user('ann', 'globex')))).toBe('granted');
  });

  it('lets a tenant hold at most its share while another one waits', async () => {
    const admission = admissionOf({ ...limits, slots: 10 });
    const held = [...acquireMany(admission, user('a'), 4), ...acquireMany(admission, user('b'), 4)];
    await Promise.all(held);
    const served = { acme: 0, globex: 0 };
    const count = (tenant: 'acme' | 'globex') => (): void => {
      served[tenant] += 1;
    };
    for (const lease of acquireMany(admission, user('x', 'globex'), 7)) lease.then(count('globex'), () => undefined);
    for (const lease of acquireMany(admission, user('c'), 3)) lease.then(count('acme'), () => undefined);
    await settle();
    expect(served).toEqual({ acme: 0, globex: 2 });
    // 8 and 2 of 10: released slots go to the other tenant until both hold half.
    for (const lease of held.slice(0, 3)) await release(lease);
    await settle();
    expect(served).toEqual({ acme: 0, globex: 5 });
    for (const lease of held.slice(3, 5)) await release(lease);
    await settle();
    expect(served).toEqual({ acme: 2, globex: 5 });
  });

  it('limits a tenant to its share while another one waits for a worker of its engine', async () => {
    const admission = admissionOf({ ...limits, slots: 10 }, new MemoryWorkers(10, 'acme'));
    await Promise.all(acquireMany(admission, user('a'), 5));
    const leaving = new AbortController();
    const other = codeOf(admission.acquire(user('x', 'globex'), leaving.signal));
    const more = acquire(admission, user('b'));
    await settle();
    expect(admission.waiting).toBe(2);
    leaving.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
    expect(await other).toBe('query_cancelled');
    await release(acquire(admission, user('c')));
    expect(await codeOf(more)).toBe('granted');
  });

  it('enforces the limits of users and tenants, with the overrides of the tenant settings', async () => {
    const admission = admissionOf({ ...limits, slots: 100, queriesPerUser: 2, queriesPerTenant: 3, queueTimeoutMs: 1 });
    await acquire(admission, user('a'));
    await acquire(admission, user('a'));
    expect(await codeOf(acquire(admission, user('a')))).toBe('too_many_requests');
    await acquire(admission, user('b'));
    expect(await codeOf(acquire(admission, user('c')))).toBe('too_many_requests');
    expect(await codeOf(acquire(admission, { ...user('c'), queriesPerTenant: 4 }))).toBe('granted');
    expect(await codeOf(acquire(admission, user('a', 'globex')))).toBe('granted');
  });

  it('serves the account that holds the fewest slots first, then the longest wait', async () => {
    const admission = admissionOf({ ...limits, slots: 2 });
    const lease = await acquire(admission, user('x'));
    const other = await acquire(admission, user('z'));
    const served: string[] = [];
    const waits = ['x', 'x', 'y'].map(async (name) => {
      const own = await acquire(admission, user(name));
      served.push(name);
      return own;
    });
    other[Symbol.dispose]();
    await release(waits[2]);
    expect(served).toEqual(['y']);
    lease[Symbol.dispose]();
    await release(waits[0]);
    await waits[1];
    expect(served).toEqual(['y', 'x', 'x']);
  });

  it('reserves background slots for background work, which waits until its signal aborts', async () => {
    const admission = admissionOf({ ...limits, slots: 3, backgroundSlots: 1, queueTimeoutMs: 20 });
    const describing = ['a', 'b', 'c'].map((name) => acquire(admission, user(name, `tenant of ${name}`)));
    await Promise.all(describing.slice(0, 2));
    expect(await codeOf(describing[2] as Promise<unknown>)).toBe('too_many_requests');
    const harvest: WorkerRequester = { ...user('harvest'), purpose: 'background' };
    expect(await codeOf(acquire(admission, harvest))).toBe('granted');
    const second = acquire(admission, harvest);
    await new Promise((resolve) => void setTimeout(resolve, 40));
    expect(admission.waiting).toBe(1);
    await release(describing[0]);
    expect(await codeOf(second)).toBe('granted');
  });

  it('refuses immediately when the queue of a user or tenant is full, with a Retry-After', async () => {
    const admission = admissionOf({ ...limits, slots: 1, queuedPerUser: 2, queuedPerTenant: 3 });
    await acquire(admission, user('a'));
    const waiting = [user('a'), user('a'), user('b')].map((one) => acquire(admission, one));
    await expect(acquire(admission, user('a'))).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 5,
    });
    expect(await codeOf(acquire(admission, user('c')))).toBe('too_many_requests');
    expect(waiting).toHaveLength(3);
  });

  it('grants no slot to an aborted request, and loses no worker', async () => {
    const workers = new MemoryWorkers(1);
    const admission = admissionOf({ ...limits, slots: 1 }, workers);
    const lease = await acquire(admission, user('a'));
    const abort = new AbortController();
    const aborted = codeOf(admission.acquire(user('b'), abort.signal));
    const waiting = acquire(admission, user('c'));
    abort.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
    lease[Symbol.dispose]();
    lease[Symbol.dispose]();
    expect(await aborted).toBe('query_cancelled');
    await release(waiting);
    await release(acquire(admission, user('d')));
    expect(workers.ready).toBe(1);
    expect(await codeOf(admission.acquire(user('e'), AbortSignal.abort()))).not.toBe('granted');
  });
});
