import { ProblemError } from '@sluice/contract';

export interface AdmissionLimits {
  /** Queries that run at once on this host. */
  readonly slots: number;
  readonly queriesPerUser: number;
  readonly queriesPerTenant: number;
  readonly queuedPerUser: number;
  readonly queuedPerTenant: number;
  readonly queueTimeoutMs: number;
}

/** Who wants to run a query, and the limits of their tenant where it has its own. */
export interface Applicant {
  readonly tenantId: string;
  readonly accountId: string;
  readonly queriesPerUser?: number | undefined;
  readonly queriesPerTenant?: number | undefined;
}

/** Of the slots of a host, so many stay for others however much one user asks for. */
const shareOfOthers = (slots: number): number => Math.max(1, Math.floor(slots / 4));

/**
 * Decides who may run a query now, who waits, and who is refused. Whoever runs least is served first, then whoever waits longest,
 * so that one user's thousand requests delay another's one by no more than a query.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #running = new Counts();
  readonly #queued = new Counts();
  readonly #queue: Waiter[] = [];
  #taken = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Queries that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * A slot, which its owner disposes of. Throws `too_many_requests` when the queue is full or the wait too long, and the signal's
   * reason when it aborts.
   */
  async enter(applicant: Applicant, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#fits(applicant)) return this.#take(applicant);
    this.#refuseWhenFull(applicant);
    const waiter = new Waiter(applicant);
    this.#queue.push(waiter);
    this.#queued.add(applicant, 1);
    const onAbort = (): void => waiter.reject(signal.reason);
    const timer = setTimeout(
      () => waiter.reject(busy('The wait for a free place took too long.')),
      this.#limits.queueTimeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await waiter.slot;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      const index = this.#queue.indexOf(waiter);
      if (index !== -1) this.#queue.splice(index, 1);
      this.#queued.add(applicant, -1);
    }
  }

  #take(applicant: Applicant): Disposable {
    this.#taken += 1;
    this.#running.add(applicant, 1);
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#taken -= 1;
        this.#running.add(applicant, -1);
        this.#serveNext();
      },
    };
  }

  #serveNext(): void {
    if (this.#taken >= this.#limits.slots) return;
    let first: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#queue) {
      if (!waiter.isWaiting) continue;
      const running = this.#running.ofUser(waiter.applicant);
      // Who waits longer comes earlier in the queue, so only fewer is better.
      if (running >= fewest || !this.#fits(waiter.applicant)) continue;
      first = waiter;
      fewest = running;
    }
    first?.resolve(this.#take(first.applicant));
  }

  #fits(applicant: Applicant): boolean {
    const { slots, queriesPerUser, queriesPerTenant } = this.#limits;
    const userMax = Math.min(applicant.queriesPerUser ?? queriesPerUser, Math.max(1, slots - shareOfOthers(slots)));
    return (
      this.#taken < slots &&
      this.#running.ofUser(applicant) < userMax &&
      this.#running.ofTenant(applicant) < (applicant.queriesPerTenant ?? queriesPerTenant)
    );
  }

  #refuseWhenFull(applicant: Applicant): void {
    const { queuedPerUser, queuedPerTenant } = this.#limits;
    if (this.#queued.ofUser(applicant) >= queuedPerUser)
      throw busy(`You have ${queuedPerUser} queries waiting already.`);
    if (this.#queued.ofTenant(applicant) >= queuedPerTenant)
      throw busy(`Your tenant has ${queuedPerTenant} queries waiting already.`);
  }
}

const busy = (why: string): ProblemError =>
  new ProblemError('too_many_requests', `${why} Send the query again when others have ended.`, {
    retryAfterSeconds: 5,
  });

/** How many a user and a tenant have; what is at zero is forgotten. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(applicant: Applicant, change: 1 | -1): void {
    for (const key of [userKey(applicant), applicant.tenantId]) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }

  ofUser(applicant: Applicant): number {
    return this.#counts.get(userKey(applicant)) ?? 0;
  }

  ofTenant(applicant: Applicant): number {
    return this.#counts.get(applicant.tenantId) ?? 0;
  }
}

const userKey = ({ tenantId, accountId }: Applicant): string => `${tenantId}/${accountId}`;

/** Served once, or given up once. */
class Waiter {
  readonly applicant: Applicant;
  readonly slot: Promise<Disposable>;
  isWaiting = true;
  #settle: { readonly resolve: (slot: Disposable) => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor(applicant: Applicant) {
    this.applicant = applicant;
    this.slot = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  resolve(slot: Disposable): void {
    this.isWaiting = false;
    this.#settle?.resolve(slot);
  }

  reject(reason: unknown): void {
    this.isWaiting = false;
    this.#settle?.reject(reason);
  }
}
