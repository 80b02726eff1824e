import { asProblem, ProblemError } from '@sluice/contract/problems';
import type { AcquireResult, QuerySlots, Requester } from '@sluice/shared-state';
import type { WorkerLease, WorkerSource } from '../worker-source.ts';
import { EnqueuedRequests, type QueueLimits } from './enqueued-requests.ts';
import { GrantedLease } from './granted-lease.ts';
import { Outage } from './outage.ts';
import { QueuedRequest } from './queued-request.ts';
import { Refusals } from './refusals.ts';
import { Replacements } from './replacements.ts';
import type { BlockedRequest, WorkerRequester } from './requester.ts';
import { SlotCounts } from './slot-counts.ts';
import { type SlotShareLimits, SlotShares } from './slot-shares.ts';
import { StatementStarts } from './statement-starts.ts';
import type { PooledWorker, Workers } from './workers.ts';

const SECONDS_UNKNOWN = 5;
const SECONDS_MAX = 30;
/** Weight of the newest value in the moving average. */
const NEWEST = 0.2;

/** Estimates for `Retry-After` when a request that is refused now would get a worker. */
class WaitEstimate {
  readonly #slots: number;
  readonly #workers: Pick<Workers, 'startingUp'>;
  #heldMs: number | undefined;

  constructor(slots: number, workers: Pick<Workers, 'startingUp'>) {
    this.#slots = slots;
    this.#workers = workers;
  }

  /** Records how long a worker was held. */
  noteHeld(ms: number): void {
    this.#heldMs = this.#heldMs === undefined ? ms : this.#heldMs + (ms - this.#heldMs) * NEWEST;
  }

  /** Returns the seconds until a request behind this many others is served, by starting workers or by ending statements. */
  seconds(before: number): number {
    const { count, eachMs } = this.#workers.startingUp;
    const byStarts = count === 0 ? undefined : (Math.ceil((before + 1) / count) * eachMs) / 1000;
    const byEnds =
      this.#heldMs === undefined ? undefined : (Math.ceil((before + 1) / this.#slots) * this.#heldMs) / 1000;
    const known = [byStarts, byEnds].filter((seconds) => seconds !== undefined);
    if (known.length === 0) return SECONDS_UNKNOWN;
    return Math.min(SECONDS_MAX, Math.max(1, Math.ceil(Math.min(...known))));
  }
}

/** Workers that were lost to an account's statements. Each counts as held by the account until it is replaced. */
class LostWorkers {
  readonly #counts = new SlotCounts();
  readonly #lost: Requester[] = [];

  ofAccount(requester: Requester): number {
    return this.#counts.ofAccount(requester);
  }

  add(requester: Requester): void {
    this.#lost.push(requester);
    this.#counts.add(requester, 1);
  }

  /** Removes the worker that was lost first. */
  replaceOne(): void {
    const replaced = this.#lost.shift();
    if (replaced !== undefined) this.#counts.add(replaced, -1);
  }

  /** Removes all: no more replacements are starting. */
  replaceAll(): void {
    while (this.#lost.length > 0) this.replaceOne();
  }
}

/** Counted over all hosts. The limits of a request override them. */
interface SharedLimits {
  readonly queriesPerUser: number;
  readonly queriesPerTenant: number;
}

/** Acquires a slot under the shared limits, which do not count background work. Returns an error instead of throwing it. */
async function acquireSlot(
  slots: QuerySlots,
  request: QueuedRequest,
  limits: SharedLimits,
): Promise<AcquireResult | ProblemError> {
  if (request.isBackground) return 'acquired';
  const { queriesPerUser = limits.queriesPerUser, queriesPerTenant = limits.queriesPerTenant } = request.requester;
  return await slots.acquire(request, { account: queriesPerUser, tenant: queriesPerTenant }).catch(asProblem);
}

export interface AdmissionLimits extends SlotShareLimits, QueueLimits, SharedLimits {
  readonly queueTimeoutMs: number;
  /** Statements that start at once (`StatementStarts`). Default: any number. */
  readonly startingMax?: number;
}

interface AdmissionDependencies {
  readonly slots: QuerySlots;
  readonly workers: Workers;
}

/** A waiting host retries this often, in case the message of a released slot was lost. Shorter than `CONTENTION_MS`. */
const POLL_MS = 250;

/**
 * Queue of a host: grants a worker to a request, lets it wait, or refuses it. Requests wait nowhere else. A request needs a slot of
 * this host, a worker that serves its engine, and a slot under the limits that all hosts share. Grants follow `fairOrder` within
 * the shares of `SlotShares`.
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
  readonly #replacements: Replacements;
  readonly #estimate: WaitEstimate;
  readonly #outage = new Outage();
  readonly #starts: StatementStarts;
  /** Version counter. A refusal of a request that was sent under an older version is stale. */
  #version = 0;
  #poll: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits, { slots, workers }: AdmissionDependencies) {
    this.#limits = limits;
    this.#slots = slots;
    this.#workers = workers;
    this.#shares = new SlotShares(limits);
    this.#replacements = new Replacements(workers);
    this.#starts = new StatementStarts(limits.startingMax ?? Number.POSITIVE_INFINITY);
    this.#estimate = new WaitEstimate(limits.slots, workers);
    this.#enqueued = new EnqueuedRequests(limits, slots, this.#outage);
    this.#released = slots.onReleased((tenantId) => this.#onReleased(tenantId));
    workers.connect({
      onReady: () => this.#serve(),
      onReplaced: () => this.#lost.replaceOne(),
      onSettled: () => this.#lost.replaceAll(),
      onStartFailed: (problem) => this.#onStartFailed(problem),
      onClose: (problem) => this.#rejectAll(problem),
      enginesWanted: () => [
        ...this.#replacements.enginesWanted,
        ...this.#grantable().map(({ requester }) => requester.engineKey),
      ],
    });
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Requests that wait until a running query releases a slot, longest wait first. */
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
    // Background work has no queue timeout; only its signal limits the wait.
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

  /** Assigns ready workers to requests, each of which then acquires a slot under the shared limits. */
  #serve(): void {
    this.#replacements.serve();
    while (!this.#outage.isOn) {
      const granted = this.#grantOne();
      if (!granted) return;
    }
  }

  #grantOne(): boolean {
    for (const request of this.#grantable()) {
      const worker = this.#leavesLastWorker(request)
        ? undefined
        : this.#workers.tryAcquire(request.requester.engineKey);
      if (worker === undefined) continue;
      void this.#acquireAndGrant(request, worker);
      return true;
    }
    return false;
  }

  /** Reserves the last ready worker for accounts without one, while another worker is starting or can be started. */
  #leavesLastWorker(request: QueuedRequest): boolean {
    const has = this.#shares.held.ofAccount(request) + this.#lost.ofAccount(request);
    return has > 0 && this.#workers.canGrow && this.#workers.countReady(request.requester.engineKey) < 2;
  }

  /** Acquires a slot under the shared limits and resolves the request with its lease, or returns it to the queue. Never rejects. */
  async #acquireAndGrant(request: QueuedRequest, worker: PooledWorker): Promise<void> {
    const version = this.#version;
    const sentMs = performance.now();
    request.state = 'acquiring';
    this.#shares.hold(request, 1);
    const result = await acquireSlot(this.#slots, request, this.#limits);
    this.#outage.note(result, sentMs);
    if (result === 'acquired' && isAcquiring(request)) {
      this.#refusals.forget(request.tenantId);
      request.resolve(this.#leaseOf(request, worker));
      return;
    }
    this.#shares.hold(request, -1);
    if (result === 'acquired') this.#slots.release(request);
    else if (!(result instanceof ProblemError) && version === this.#version) this.#refusals.add(result, request);
    if (isAcquiring(request)) {
      request.state = 'waiting';
      this.#enqueue(request);
    }
    this.#workers.release(worker);
    this.#workers.fill();
  }

  #leaseOf(request: QueuedRequest, worker: PooledWorker): WorkerLease {
    const grantedMs = performance.now();
    const { engineKey } = request.requester;
    const onEnd = (released: PooledWorker): void => {
      this.#estimate.noteHeld(performance.now() - grantedMs);
      this.#shares.hold(request, -1);
      if (!this.#workers.release(released)) this.#lost.add(request);
      this.#version += 1;
      this.#refusals.forget(request.tenantId);
      const version = this.#version;
      this.#slots.release(request);
      if (version === this.#version) this.#workers.fill(); // slots of one process report the release immediately
    };
    return new GrantedLease({
      engineKey,
      worker,
      starts: this.#starts,
      replace: (signal) => this.#replacements.acquire(engineKey, signal),
      release: (unused) => void this.#workers.release(unused),
      onEnd,
    });
  }

  #enqueue(request: QueuedRequest): void {
    this.#pollWhileNeeded();
    this.#enqueued.add(request, (reason) => request.reject(this.#busy(reason)));
  }

  #onReleased(tenantId: string): void {
    this.#version += 1;
    this.#refusals.forget(tenantId);
    this.#workers.fill();
  }

  #onStartFailed(problem: unknown): void {
    if (!this.#replacements.rejectFirst(problem)) this.#grantable()[0]?.reject(problem);
  }

  #rejectAll(problem: ProblemError): void {
    this.#replacements.rejectAll(problem);
    for (const request of this.#queue) request.reject(problem);
  }

  #pollWhileNeeded(): void {
    if (this.#queue.length === 0) {
      clearInterval(this.#poll);
      this.#poll = undefined;
      // Without a poll nothing keeps them up to date.
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
    // During an outage one request probes the shared state; its success lets the others acquire again.
    if (this.#outage.isOn) this.#grantOne();
    else this.#workers.fill();
  }

  #busy(reason: string): ProblemError {
    return new ProblemError('too_many_requests', `${reason} Send the query again when others have ended.`, {
      retryAfterSeconds: this.#estimate.seconds(this.#queue.length),
    });
  }
}

// The state changes during an await, which the compiler does not see.
const isAcquiring = (request: QueuedRequest): boolean => request.state === 'acquiring';
