import { asProblem, ProblemError } from '@sluice/contract';
import type { AcquireAnswer, QuerySlots } from '@sluice/shared-state';
import type { WorkerLease, WorkerSource } from '../worker-source.ts';
import { EnqueuedRequests, type QueueLimits } from './enqueued-requests.ts';
import { LostWorkers } from './lost-workers.ts';
import { Outage } from './outage.ts';
import { QueuedRequest } from './queued-request.ts';
import { Refusals } from './refusals.ts';
import type { BlockedRequest, WorkerRequester } from './requester.ts';
import { type SlotShareLimits, SlotShares } from './slot-shares.ts';
import { WaitEstimate } from './wait-estimate.ts';
import type { PooledWorker, Workers } from './workers.ts';

export interface AdmissionLimits extends SlotShareLimits, QueueLimits {
  /** Over all hosts together. */
  readonly queriesPerUser: number;
  readonly queriesPerTenant: number;
  readonly queueTimeoutMs: number;
}

export interface AdmissionDependencies {
  readonly slots: QuerySlots;
  readonly workers: Workers;
}

/** A waiting host asks again this often, in case the word of a released slot was lost. Shorter than a bid lasts. */
const POLL_MS = 250;

/**
 * The queue of a host: it decides who gets a worker now, who waits, and who is refused. A request waits here and nowhere else. It
 * needs a slot of this host, a worker that serves its engine, and room under the limits that all hosts share. Grants follow
 * `fairOrder` within the shares of `SlotShares`.
 */
export class Admission implements WorkerSource, Disposable {
  readonly #limits: AdmissionLimits;
  readonly #slots: QuerySlots;
  readonly #workers: Workers;
  readonly #released: Disposable;
  readonly #shares: SlotShares;
  readonly #enqueued: EnqueuedRequests;
  readonly #queue: QueuedRequest[] = [];
  readonly #refusals = new Refusals();
  readonly #lost = new LostWorkers();
  readonly #estimate: WaitEstimate;
  readonly #outage = new Outage();
  /** Version counter. A refusal of a request that was sent under an older version is stale. */
  #version = 0;
  #poll: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits, { slots, workers }: AdmissionDependencies) {
    this.#limits = limits;
    this.#slots = slots;
    this.#workers = workers;
    this.#shares = new SlotShares(limits);
    this.#estimate = new WaitEstimate(limits.slots, workers);
    this.#enqueued = new EnqueuedRequests(limits, slots, this.#outage);
    this.#released = slots.onReleased((tenantId) => this.#onReleased(tenantId));
    workers.connect({
      onReady: () => this.#serve(),
      onReplaced: () => this.#lost.replaceOne(),
      onSettled: () => this.#lost.replaceAll(),
      onStartFailed: (problem) => this.#onStartFailed(problem),
      onClose: (problem) => this.#rejectAll(problem),
      enginesWanted: () => this.#grantable().map(({ requester }) => requester.engineKey),
    });
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Requests that wait for somebody to give up a slot, longest wait first. */
  blockedRequests(): readonly BlockedRequest[] {
    const grantable = new Set(this.#grantable());
    return this.#queue
      .filter((request) => request.state === 'waiting' && !grantable.has(request))
      .map((request) => ({
        tenantId: request.tenantId,
        accountId: request.accountId,
        isHelpedByAny: this.#shares.isFull && !this.#refusals.holds(request),
      }));
  }

  async acquire(requester: WorkerRequester, signal: AbortSignal): Promise<WorkerLease> {
    signal.throwIfAborted();
    const request = new QueuedRequest(requester);
    this.#queue.push(request);
    const onAbort = (): void => request.reject(signal.reason);
    // What works in the background has all the time that its signal gives it.
    const timer = request.isBackground
      ? undefined
      : setTimeout(
          () => request.reject(this.#busy('The wait for a free slot took too long.')),
          this.#limits.queueTimeoutMs,
        );
    signal.addEventListener('abort', onAbort, { once: true });
    this.#workers.fill();
    if (request.state === 'waiting') this.#enqueue(request);
    try {
      return await request.lease;
    } catch (thrown) {
      this.#slots.release(request);
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#queue.splice(this.#queue.indexOf(request), 1);
      this.#enqueued.remove(request);
      this.#pollWhileNeeded();
    }
  }

  [Symbol.dispose](): void {
    this.#released[Symbol.dispose]();
    clearInterval(this.#poll);
  }

  #grantable(): readonly QueuedRequest[] {
    const waiting = this.#queue.filter((one) => one.state === 'waiting' && !this.#refusals.holds(one));
    return waiting.length === 0 ? [] : this.#shares.grantable(waiting);
  }

  /** Gives ready workers to requests, each of which then asks for its slot under the shared limits. */
  #serve(): void {
    while (!this.#outage.isOn) {
      const granted = this.#grantOne();
      if (!granted) return;
    }
  }

  #grantOne(): boolean {
    for (const request of this.#grantable()) {
      const worker = this.#leavesLastWorker(request) ? undefined : this.#workers.take(request.requester.engineKey);
      if (worker === undefined) continue;
      void this.#ask(request, worker);
      return true;
    }
    return false;
  }

  /** The last ready worker is for accounts that have none, as long as another is starting or can be started. */
  #leavesLastWorker(request: QueuedRequest): boolean {
    const has = this.#shares.held.ofAccount(request) + this.#lost.ofAccount(request);
    return has > 0 && this.#workers.canGrow && this.#workers.countReady(request.requester.engineKey) < 2;
  }

  /** Never rejects: what it finds out is for the request. */
  async #ask(request: QueuedRequest, worker: PooledWorker): Promise<void> {
    const version = this.#version;
    const askedMs = performance.now();
    request.state = 'asking';
    this.#shares.hold(request, 1);
    const answer = await this.#acquireSlot(request);
    this.#outage.note(answer, askedMs);
    if (answer === 'acquired' && isAsking(request)) {
      this.#refusals.forget(request.tenantId);
      request.resolve(this.#leaseOf(request, worker));
      return;
    }
    this.#shares.hold(request, -1);
    if (answer === 'acquired') this.#slots.release(request);
    else if (!(answer instanceof ProblemError) && version === this.#version) this.#refusals.add(answer, request);
    if (isAsking(request)) {
      request.state = 'waiting';
      this.#enqueue(request);
    }
    this.#workers.giveBack(worker);
    this.#workers.fill();
  }

  async #acquireSlot(request: QueuedRequest): Promise<AcquireAnswer | ProblemError> {
    if (request.isBackground) return 'acquired';
    const { queriesPerUser, queriesPerTenant } = request.requester;
    return await this.#slots
      .acquire(request, {
        account: queriesPerUser ?? this.#limits.queriesPerUser,
        tenant: queriesPerTenant ?? this.#limits.queriesPerTenant,
      })
      .catch(asProblem);
  }

  #leaseOf(request: QueuedRequest, worker: PooledWorker): WorkerLease {
    const grantedMs = performance.now();
    let isHeld = true;
    return {
      run: (job, jobSignal, onProgress) => worker.run(job, jobSignal, onProgress),
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#estimate.noteHeld(performance.now() - grantedMs);
        this.#shares.hold(request, -1);
        if (!this.#workers.giveBack(worker)) this.#lost.add(request);
        this.#version += 1;
        this.#refusals.forget(request.tenantId);
        this.#slots.release(request);
        this.#workers.fill();
      },
    };
  }

  #enqueue(request: QueuedRequest): void {
    this.#pollWhileNeeded();
    this.#enqueued.add(request, (why) => request.reject(this.#busy(why)));
  }

  #onReleased(tenantId: string): void {
    this.#version += 1;
    this.#refusals.forget(tenantId);
    this.#workers.fill();
  }

  #onStartFailed(problem: unknown): void {
    this.#grantable()[0]?.reject(problem);
  }

  #rejectAll(problem: ProblemError): void {
    for (const request of this.#queue) request.reject(problem);
  }

  #pollWhileNeeded(): void {
    if (this.#queue.length === 0) {
      clearInterval(this.#poll);
      this.#poll = undefined;
      // Nothing keeps them up to date any more.
      this.#refusals.forgetAll();
      this.#outage.end();
    } else if (this.#poll === undefined) {
      this.#poll = setInterval(() => this.#onPoll(), POLL_MS);
      this.#poll.unref();
    }
  }

  #onPoll(): void {
    this.#outage.rejectLongWaits(this.#queue);
    this.#version += 1;
    this.#refusals.forgetAll();
    // During an outage one request asks whether it is over; its answer lets the others ask.
    if (this.#outage.isOn) this.#grantOne();
    else this.#workers.fill();
  }

  #busy(why: string): ProblemError {
    return new ProblemError('too_many_requests', `${why} Send the query again when others have ended.`, {
      retryAfterSeconds: this.#estimate.seconds(this.#queue.length),
    });
  }
}

// Awaiting changes it, which the compiler does not see.
const isAsking = (request: QueuedRequest): boolean => request.state === 'asking';
