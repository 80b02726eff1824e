import { asProblem, ProblemError } from '@sluice/contract';
import type { Places, QueueAnswer, TakeAnswer } from '@sluice/shared-state';
import type { Applicant } from './applicant.ts';
import { ApplicantCounts } from './applicant-counts.ts';
import { Refusals } from './refusals.ts';
import { Waiter } from './waiter.ts';

export interface AdmissionLimits {
  /** Queries that run at once on this host. */
  readonly slots: number;
  /** Of all hosts together, as all that follow. */
  readonly queriesPerUser: number;
  readonly queriesPerTenant: number;
  readonly queuedPerUser: number;
  readonly queuedPerTenant: number;
  readonly queueTimeoutMs: number;
}

/** Of the slots of a host, so many stay for others however much one user asks for. */
const shareOfOthers = (slots: number): number => Math.max(1, Math.floor(slots / 4));

/** Who waits asks again so often, should the word of a free place of another host be lost. Bids last longer. */
const POLL_MS = 250;
/** Waiters outlast an outage of the shared state of so long. */
const OUTAGE_MS = 1_500;

/**
 * Decides who may run a query now, who waits, and who is refused. Slots are of this host; how many a user and a tenant may have is
 * asked of the places that all hosts share. Whoever runs least is served first, then whoever waits longest, so that one user's
 * thousand requests delay another's one by no more than a query.
 */
export class Admission implements Disposable {
  readonly #limits: AdmissionLimits;
  readonly #places: Places;
  readonly #freed: Disposable;
  /** Slots by user, those for whom a place is being asked included. */
  readonly #running = new ApplicantCounts();
  readonly #queued = new ApplicantCounts();
  readonly #queue: Waiter[] = [];
  readonly #refusals = new Refusals();
  #taken = 0;
  /** Counts what may make an answer old that is on its way. */
  #changes = 0;
  #outage: { readonly sinceMs: number; readonly problem: ProblemError } | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits, places: Places) {
    this.#limits = limits;
    this.#places = places;
    this.#freed = places.onFreed((tenantId) => this.#onFreed(tenantId));
  }

  /** Queries that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * A slot, which its owner disposes of. Throws `too_many_requests` when the queue is full or the wait too long,
   * `service_unavailable` when nobody can tell for longer than a moment, and the signal's reason when it aborts.
   */
  async enter(applicant: Applicant, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const waiter = new Waiter(applicant);
    this.#queue.push(waiter);
    const onAbort = (): void => waiter.reject(signal.reason);
    const timer = setTimeout(
      () => waiter.reject(busy('The wait for a free place took too long.')),
      this.#limits.queueTimeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    this.#serve();
    if (waiter.state === 'waiting') this.#queueUp(waiter);
    try {
      return await waiter.slot;
    } catch (thrown) {
      this.#places.leave(waiter.claim);
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      if (waiter.isQueued) this.#queued.add(applicant, -1);
      this.#pollWhileNeeded();
    }
  }

  [Symbol.dispose](): void {
    this.#freed[Symbol.dispose]();
    clearInterval(this.#poll);
  }

  /** Asks for places for as many as there are slots. */
  #serve(): void {
    while (this.#outage === undefined && this.#taken < this.#limits.slots) {
      const next = this.#next();
      if (next === undefined) return;
      void this.#ask(next);
    }
  }

  #next(): Waiter | undefined {
    const { slots } = this.#limits;
    const userMax = Math.max(1, slots - shareOfOthers(slots));
    let first: Waiter | undefined;
    let fewest = userMax;
    for (const waiter of this.#queue) {
      const running = this.#running.ofUser(waiter.applicant);
      // Who waits longer comes earlier in the queue, so only fewer is better.
      if (waiter.state !== 'waiting' || running >= fewest || this.#refusals.holds(waiter.applicant)) continue;
      first = waiter;
      fewest = running;
    }
    return first;
  }

  /** Never rejects: what it finds out is for the waiter. */
  async #ask(waiter: Waiter): Promise<void> {
    const { applicant, claim } = waiter;
    const changes = this.#changes;
    const askedMs = performance.now();
    waiter.state = 'asking';
    this.#hold(applicant, 1);
    const answer = await this.#places
      .take(claim, {
        account: applicant.queriesPerUser ?? this.#limits.queriesPerUser,
        tenant: applicant.queriesPerTenant ?? this.#limits.queriesPerTenant,
      })
      .catch(asProblem);
    this.#note(answer, askedMs);
    if (answer === 'taken' && isAsking(waiter)) return waiter.resolve(this.#slotOf(waiter));
    this.#hold(applicant, -1);
    if (answer === 'taken') this.#places.leave(claim);
    else if (!(answer instanceof ProblemError) && changes === this.#changes) this.#refusals.add(answer, applicant);
    if (isAsking(waiter)) {
      waiter.state = 'waiting';
      this.#queueUp(waiter);
    }
    this.#serve();
  }

  #slotOf({ applicant, claim }: Waiter): Disposable {
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#hold(applicant, -1);
        this.#places.leave(claim);
        this.#onFreed(applicant.tenantId);
      },
    };
  }

  /** Counts the waiter in the queue of all hosts, or refuses it when that is full. */
  #queueUp(waiter: Waiter): void {
    this.#pollWhileNeeded();
    if (waiter.isQueued) return;
    const { applicant, claim } = waiter;
    const { queuedPerUser: account, queuedPerTenant: tenant } = this.#limits;
    const refuse = (answer: QueueAnswer): void => {
      if (answer === 'account_queue_full') waiter.reject(busy(`You have ${account} queries waiting already.`));
      if (answer === 'tenant_queue_full') waiter.reject(busy(`Your tenant has ${tenant} queries waiting already.`));
    };
    // Where this host's part alone is as long, the others need not be asked.
    if (this.#queued.ofUser(applicant) >= account) refuse('account_queue_full');
    else if (this.#queued.ofTenant(applicant) >= tenant) refuse('tenant_queue_full');
    else {
      waiter.isQueued = true;
      this.#queued.add(applicant, 1);
      const askedMs = performance.now();
      this.#places.queue(claim, { account, tenant }).then(
        (answer) => {
          this.#note(answer, askedMs);
          refuse(answer);
        },
        (thrown: unknown) => this.#note(asProblem(thrown), askedMs),
      );
    }
  }

  #hold(applicant: Applicant, change: 1 | -1): void {
    this.#taken += change;
    this.#running.add(applicant, change);
  }

  #onFreed(tenantId: string): void {
    this.#changes += 1;
    this.#refusals.forget(tenantId);
    this.#serve();
  }

  /** An outage begins with the first question that found no answer, however long that was waited for. */
  #note(answer: TakeAnswer | QueueAnswer | ProblemError, askedMs: number): void {
    if (!(answer instanceof ProblemError)) this.#outage = undefined;
    else this.#outage ??= { sinceMs: askedMs, problem: answer };
  }

  #pollWhileNeeded(): void {
    if (this.#queue.length === 0) {
      clearInterval(this.#poll);
      this.#poll = undefined;
      // What nobody keeps up to date any more.
      this.#refusals.forgetAll();
      this.#outage = undefined;
    } else if (this.#poll === undefined) {
      this.#poll = setInterval(() => this.#onPoll(), POLL_MS);
      this.#poll.unref();
    }
  }

  #onPoll(): void {
    const outage = this.#outage;
    if (outage !== undefined) {
      for (const waiter of this.#queue) {
        const waitedMs = performance.now() - Math.max(outage.sinceMs, waiter.joinedMs);
        if (waiter.state !== 'over' && waitedMs >= OUTAGE_MS) waiter.reject(outage.problem);
      }
    }
    this.#changes += 1;
    this.#refusals.forgetAll();
    // One question tells whether the outage is over; its answer lets the others ask.
    const probe = outage === undefined ? undefined : this.#next();
    if (probe === undefined) this.#serve();
    else if (this.#taken < this.#limits.slots) void this.#ask(probe);
  }
}

// Awaiting changes it, which the compiler does not see.
const isAsking = (waiter: Waiter): boolean => waiter.state === 'asking';

const busy = (why: string): ProblemError =>
  new ProblemError('too_many_requests', `${why} Send the query again when others have ended.`, {
    retryAfterSeconds: 5,
  });
