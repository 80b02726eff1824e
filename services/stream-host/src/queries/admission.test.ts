import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { Admission, type AdmissionLimits } from './admission.ts';
import type { Applicant } from './applicant.ts';

const limits: AdmissionLimits = {
  slots: 4,
  queriesPerUser: 8,
  queriesPerTenant: 20,
  queuedPerUser: 100,
  queuedPerTenant: 500,
  queueTimeoutMs: 60_000,
};
const admissionOf = (own: AdmissionLimits): Admission => new Admission(own, createInProcessState().places);
const user = (accountId: string, tenantId = 'acme') => ({ tenantId, accountId });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'admitted',
    (thrown: unknown) => (thrown instanceof ProblemError ? thrown.code : String(thrown)),
  );

describe('admission', () => {
  let test = new AbortController();
  beforeEach(() => {
    test = new AbortController();
  });
  afterEach(() => test.abort(new Error('the test is over')));

  /** Who still waits when a test is over is sent away, and nobody is told. */
  const enter = (admission: Admission, applicant: Applicant): Promise<Disposable> => {
    const slot = admission.enter(applicant, AbortSignal.any([test.signal]));
    slot.catch(() => undefined);
    return slot;
  };

  it('leaves a part of the host to others, however much one user asks for', async () => {
    const admission = admissionOf(limits);
    const asked = Array.from({ length: 50 }, () => enter(admission, user('greedy')));
    await Promise.all(asked.slice(0, 3));
    expect(admission.waiting).toBe(47);
    expect(await codeOf(enter(admission, user('modest')))).toBe('admitted');
  });

  it('keeps to the limits of a user and of a tenant, those of the tenant settings first', async () => {
    const admission = admissionOf({
      ...limits,
      slots: 100,
      queriesPerUser: 2,
      queriesPerTenant: 3,
      queueTimeoutMs: 1,
    });
    await enter(admission, user('a'));
    await enter(admission, user('a'));
    expect(await codeOf(enter(admission, user('a')))).toBe('too_many_requests');
    await enter(admission, user('b'));
    expect(await codeOf(enter(admission, user('c')))).toBe('too_many_requests');
    expect(await codeOf(enter(admission, { ...user('c'), queriesPerTenant: 4 }))).toBe('admitted');
    expect(await codeOf(enter(admission, user('a', 'globex')))).toBe('admitted');
  });

  it('serves whoever runs least first, then whoever waits longest', async () => {
    const admission = admissionOf({ ...limits, slots: 2 });
    const slot = await enter(admission, user('x'));
    const other = await enter(admission, user('z'));
    const served: string[] = [];
    const waits = ['x', 'x', 'y'].map(async (name) => {
      const own = await enter(admission, user(name));
      served.push(name);
      return own;
    });
    other[Symbol.dispose]();
    (await waits[2])?.[Symbol.dispose]();
    expect(served).toEqual(['y']);
    slot[Symbol.dispose]();
    (await waits[0])?.[Symbol.dispose]();
    await waits[1];
    expect(served).toEqual(['y', 'x', 'x']);
  });

  it('refuses at once when the queue of a user or of a tenant is full, and says when to come back', async () => {
    const admission = admissionOf({ ...limits, slots: 1, queuedPerUser: 2, queuedPerTenant: 3 });
    await enter(admission, user('a'));
    const waiting = [user('a'), user('a'), user('b')].map((one) => enter(admission, one));
    await expect(enter(admission, user('a'))).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 5,
    });
    expect(await codeOf(enter(admission, user('c')))).toBe('too_many_requests');
    expect(waiting).toHaveLength(3);
  });

  it('forgets who gave up, so that a slot is never handed to nobody', async () => {
    const admission = admissionOf({ ...limits, slots: 1 });
    const slot = await enter(admission, user('a'));
    const leaving = new AbortController();
    const gone = codeOf(admission.enter(user('b'), leaving.signal));
    const patient = enter(admission, user('c'));
    leaving.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
    slot[Symbol.dispose]();
    slot[Symbol.dispose]();
    expect(await gone).toBe('query_cancelled');
    (await patient)[Symbol.dispose]();
    expect(await codeOf(enter(admission, user('d')))).toBe('admitted');
    expect(await codeOf(admission.enter(user('e'), AbortSignal.timeout(1)))).not.toBe('admitted');
  });
});
