import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { MemoryWorkers } from '../../../testing/memory-workers.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import type { WorkerRequester } from './requester.ts';

const LIMITS: AdmissionLimits = {
  slots: 4,
  backgroundSlots: 1,
  tenantShare: 0.5,
  queriesPerUser: 2,
  queriesPerTenant: 3,
  queuedPerUser: 3,
  queuedPerTenant: 5,
  queueTimeoutMs: 24 * 3_600_000,
};
/** Longer than a request contends for a slot (`CONTENTION_MS`), and than a host polls. */
const ROUND_MS = 2_000;

type RequestState = 'waiting' | 'held' | 'released' | 'refused' | 'aborted';

interface TrackedRequest {
  readonly host: number;
  readonly requester: WorkerRequester;
  readonly controller: AbortController;
  state: RequestState;
  lease?: Disposable;
}

/** Two hosts with the same shared limits, and what became of every request that was sent to them. */
class Fixture implements Disposable {
  readonly requests: TrackedRequest[] = [];
  readonly #limits: AdmissionLimits;
  readonly #workers: readonly MemoryWorkers[];
  readonly #hosts: readonly Admission[];

  constructor(limits: AdmissionLimits) {
    const { slots } = createInProcessState();
    this.#limits = limits;
    this.#workers = [new MemoryWorkers(limits.slots), new MemoryWorkers(limits.slots)];
    this.#hosts = this.#workers.map((workers) => new Admission(limits, { slots, workers }));
  }

  send(host: number, requester: WorkerRequester): TrackedRequest {
    const request: TrackedRequest = { host, requester, controller: new AbortController(), state: 'waiting' };
    this.requests.push(request);
    const acquired = this.#hosts[host]?.acquire(requester, request.controller.signal);
    acquired?.then(
      (lease) => {
        request.lease = lease;
        request.state = 'held';
      },
      (thrown: unknown) => {
        const isRefusal = thrown instanceof ProblemError && thrown.code === 'too_many_requests';
        request.state = isRefusal ? 'refused' : 'aborted';
      },
    );
    return request;
  }

  release(request: TrackedRequest): void {
    request.state = 'released';
    request.lease?.[Symbol.dispose]();
  }

  in(state: RequestState): readonly TrackedRequest[] {
    return this.requests.filter((request) => request.state === state);
  }

  assertWithinLimits(): void {
    const { slots, backgroundSlots, queriesPerUser, queriesPerTenant, queuedPerUser, queuedPerTenant } = this.#limits;
    for (const [host, workers] of this.#workers.entries()) {
      const held = this.in('held').filter((request) => request.host === host);
      expect(held.length + workers.ready).toBe(slots);
      expect(held.filter(isForUser).length).toBeLessThanOrEqual(slots - backgroundSlots);
    }
    assertAtMost(this.in('held').filter(isForUser), queriesPerUser, queriesPerTenant);
    assertAtMost(this.in('waiting').filter(isForUser), queuedPerUser, queuedPerTenant);
  }

  /** Asserts that a limit of the queue was reached when this request was refused. */
  assertRefusedRightly({ requester }: TrackedRequest): void {
    const waiting = this.in('waiting').filter((one) => isForUser(one) && isOfTenant(one, requester));
    const isAccountFull = waiting.filter((one) => isOfAccount(one, requester)).length === this.#limits.queuedPerUser;
    expect(isAccountFull || waiting.length === this.#limits.queuedPerTenant).toBe(true);
  }

  assertIdle(): void {
    expect(this.#hosts.map(({ waiting }) => waiting)).toEqual([0, 0]);
    expect(this.#workers.map(({ ready }) => ready)).toEqual([this.#limits.slots, this.#limits.slots]);
  }

  [Symbol.dispose](): void {
    for (const host of this.#hosts) host[Symbol.dispose]();
  }
}

const isForUser = ({ requester }: TrackedRequest): boolean => requester.purpose !== 'background';
const isOfTenant = ({ requester }: TrackedRequest, { tenantId }: WorkerRequester): boolean =>
  requester.tenantId === tenantId;
const isOfAccount = (request: TrackedRequest, requester: WorkerRequester): boolean =>
  isOfTenant(request, requester) && request.requester.accountId === requester.accountId;

/** One `expect` for all requests: it costs more than the counts. */
function assertAtMost(requests: readonly TrackedRequest[], accountMax: number, tenantMax: number): void {
  const exceeding = requests.filter(
    ({ requester }) =>
      requests.filter((one) => isOfAccount(one, requester)).length > accountMax ||
      requests.filter((one) => isOfTenant(one, requester)).length > tenantMax,
  );
  expect(exceeding.map(({ requester }) => requester)).toEqual([]);
}

const requester = fc
  .record({ tenant: fc.nat(2), account: fc.nat(2), isBackground: fc.constantFrom(false, false, false, false, true) })
  .map(
    ({ tenant, account, isBackground }): WorkerRequester => ({
      tenantId: `tenant ${tenant}`,
      accountId: `account ${account}`,
      engineKey: `tenant ${tenant}`,
      purpose: isBackground ? 'background' : 'user',
    }),
  );
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), host: fc.nat(1), requester }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), index: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const), index: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(250, 1_000, ROUND_MS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Lets promises settle; grants need no timer unless another host contends for a slot. */
const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

async function run(fixture: Fixture, taken: Step): Promise<void> {
  if (taken.kind === 'send') {
    const request = fixture.send(taken.host, taken.requester);
    await settle();
    if (request.state === 'refused') fixture.assertRefusedRightly(request);
  } else if (taken.kind === 'wait') await jest.advanceTimersByTimeAsync(taken.ms);
  else if (taken.kind === 'release') {
    const held = fixture.in('held');
    if (held.length > 0) fixture.release(held[taken.index % held.length] as TrackedRequest);
  } else {
    const waiting = fixture.in('waiting');
    waiting[taken.index % Math.max(1, waiting.length)]?.controller.abort(new Error('aborted by the test'));
  }
  await settle();
}

describe('admission, for random histories of requests, releases and aborts on two hosts', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const limits = fc
    .record({ slots: fc.integer({ min: 2, max: 6 }), queriesPerUser: fc.integer({ min: 1, max: 3 }) })
    .map((own): AdmissionLimits => ({ ...LIMITS, ...own }));

  it('never exceeds a limit, and refuses only when a queue is full', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (own, steps) => {
        using fixture = new Fixture(own);
        for (const taken of steps) {
          await run(fixture, taken);
          fixture.assertWithinLimits();
        }
      }),
      { numRuns: shortOrLong(40, 150) },
    );
  });

  it('serves every request that is neither refused nor aborted, and loses no worker', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (own, steps) => {
        using fixture = new Fixture(own);
        for (const taken of steps) await run(fixture, taken);
        for (let left = fixture.in('waiting').length; left > 0; left = fixture.in('waiting').length) {
          for (const request of fixture.in('held')) fixture.release(request);
          await jest.advanceTimersByTimeAsync(ROUND_MS);
          fixture.assertWithinLimits();
          expect(fixture.in('waiting').length).toBeLessThan(left); // each round serves at least one
        }
        for (const request of fixture.in('held')) fixture.release(request);
        await settle();
        fixture.assertIdle();
      }),
      { numRuns: shortOrLong(40, 150) },
    );
  });

  it('serves an account without slots next, however many requests of others wait', async () => {
    const greed = fc.record({ slots: fc.integer({ min: 2, max: 6 }), count: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(greed, fc.boolean(), async ({ slots, count }, isOtherTenant) => {
        const own = { ...LIMITS, slots, backgroundSlots: 0, queriesPerUser: 8, queriesPerTenant: 20 };
        using fixture = new Fixture({ ...own, queuedPerUser: 100, queuedPerTenant: 100 });
        const user = (accountId: string, tenantId = 'acme') => ({ tenantId, accountId, engineKey: tenantId });
        for (let index = 0; index < count; index += 1) fixture.send(0, user('greedy'));
        await settle();
        const late = fixture.send(0, isOtherTenant ? user('late', 'globex') : user('late'));
        await settle();
        const [first] = fixture.in('held');
        if (late.state !== 'held' && first !== undefined) fixture.release(first);
        await settle();
        expect(late.state).toBe('held');
      }),
      { numRuns: shortOrLong(30, 100) },
    );
  });
});
