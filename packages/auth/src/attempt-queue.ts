import { asProblem, type ProblemError, signInProblem } from '@sluice/contract';

/** Properties of an attempt that decide when it runs. */
export interface AttemptTurn {
  /** Prefix of the client's address. */
  readonly prefix: string;
  /** Recent failures of that prefix. Attempts with fewer failures go first. */
  readonly failures: number;
  readonly account: string;
  /** Key of the attempts that run sequentially: those of one session or device, else of one account from one address. */
  readonly lane?: string | undefined;
  /** True if the client has a session or device cookie of the account. Known attempts go first and are never evicted for unknown ones. */
  readonly isKnown: boolean;
  /** Minimum wait before the attempt starts. */
  readonly delayMs?: number;
  /** Aborts with a ProblemError when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

interface QueuedAttempt {
  readonly turn: AttemptTurn;
  /** Lower ranks go first; equal ranks go in order of arrival. */
  readonly rank: number;
  readonly readyAtMs: number;
  start(): void;
  reject(reason: unknown): void;
}

/** Attempts that run at a time, each with at most one database connection. Hashing has a separate, lower limit. */
const RUNNING_MAX = 4;
/** One slot is reserved for known clients. */
const UNKNOWN_RUNNING_MAX = 3;
/** Leaves a slot for other accounts while one account is attacked. */
const RUNNING_OF_ACCOUNT_MAX = 2;
const WAITING_MAX = 500;
const WAIT_MAX_MS = 10_000;
const KNOWN_RANK = -1;

const tooManyLogins = (): ProblemError =>
  signInProblem('too_many_requests', 'too_many_logins', { retryAfterSeconds: 1 });

const isOutage = (thrown: unknown): boolean => asProblem(thrown).code === 'service_unavailable';

/**
 * Limits the login attempts that this host verifies at a time. The order is fair between addresses: an address that floods the queue
 * or has failed before waits behind the others.
 */
export class AttemptQueue {
  readonly #waiting = new Set<QueuedAttempt>();
  readonly #running = new Set<AttemptTurn>();

  /** @throws ProblemError `too_many_requests` if the queue is full or the wait exceeds its limit. */
  async run<T>(requested: AttemptTurn, work: () => Promise<T>): Promise<T> {
    // A copy, because the sets compare by identity: one object may be passed for several attempts.
    const turn = { ...requested };
    await this.#enter(turn);
    try {
      return await work();
    } catch (thrown) {
      // The other attempts would wait for the same failing back end, one after the other.
      if (isOutage(thrown)) this.#rejectAll(thrown);
      throw thrown;
    } finally {
      this.#running.delete(turn);
      this.#startNext();
    }
  }

  #enter(turn: AttemptTurn): Promise<void> {
    const { signal, delayMs = 0 } = turn;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const rank = this.#rankOf(turn);
    if (this.#waiting.size >= WAITING_MAX && !this.#evictLast(rank)) return Promise.reject(tooManyLogins());
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        this.#waiting.delete(queued);
        clearTimeout(timer);
        clearTimeout(delay);
        signal?.removeEventListener('abort', onAbort);
        outcome();
      };
      const queued: QueuedAttempt = {
        turn,
        rank,
        readyAtMs: performance.now() + delayMs,
        start: () => settle(resolve),
        reject: (reason) => settle(() => reject(reason)),
      };
      const onAbort = (): void => queued.reject(signal?.reason);
      const timer = setTimeout(() => queued.reject(tooManyLogins()), delayMs + WAIT_MAX_MS);
      // A timer may fire up to a millisecond early.
      const delay = delayMs > 0 ? setTimeout(() => this.#startNext(), delayMs + 1) : undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(queued);
      this.#startNext();
    });
  }

  #rankOf({ isKnown, failures, prefix }: AttemptTurn): number {
    if (isKnown) return KNOWN_RANK;
    let waiting = 0;
    for (const { turn } of this.#waiting) if (turn.prefix === prefix) waiting += 1;
    return failures + waiting;
  }

  /** Evicts the last attempt of the queue if it ranks behind a new one. Returns whether it did. */
  #evictLast(rank: number): boolean {
    let last: QueuedAttempt | undefined;
    for (const queued of this.#waiting) if (last === undefined || queued.rank >= last.rank) last = queued;
    if (last === undefined || last.rank <= rank) return false;
    last.reject(tooManyLogins());
    return true;
  }

  #rejectAll(reason: unknown): void {
    for (const queued of [...this.#waiting]) queued.reject(reason);
  }

  #mayRun({ isKnown, account, lane }: AttemptTurn): boolean {
    const running = [...this.#running];
    if (lane !== undefined && running.some((turn) => turn.lane === lane)) return false;
    if (isKnown) return running.length < RUNNING_MAX;
    const unknown = running.filter((turn) => !turn.isKnown);
    if (running.length >= RUNNING_MAX || unknown.length >= UNKNOWN_RUNNING_MAX) return false;
    return unknown.filter((turn) => turn.account === account).length < RUNNING_OF_ACCOUNT_MAX;
  }

  #findNext(): QueuedAttempt | undefined {
    let next: QueuedAttempt | undefined;
    for (const queued of this.#waiting) {
      const isBefore = next === undefined || queued.rank < next.rank;
      if (isBefore && queued.readyAtMs <= performance.now() && this.#mayRun(queued.turn)) next = queued;
    }
    return next;
  }

  #startNext(): void {
    while (this.#running.size < RUNNING_MAX) {
      const next = this.#findNext();
      if (next === undefined) return;
      this.#running.add(next.turn);
      next.start();
    }
  }
}
