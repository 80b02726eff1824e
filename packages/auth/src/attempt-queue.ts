import { asProblem, ProblemError } from '@sluice/contract';

/** A login attempt that waits to be verified. */
export interface AttemptTurn {
  /** Prefix of the client's address. */
  readonly prefix: string;
  /** Recent failures of that prefix. Attempts with fewer failures go first. */
  readonly failures: number;
  readonly account: string;
  /** Attempts of one lane run sequentially. */
  readonly lane?: string | undefined;
  /** True if the client has a session or device cookie of the account. It goes first and is never evicted for other attempts. */
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
  refuse(reason: unknown): void;
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

const refusal = (): ProblemError =>
  new ProblemError('too_many_requests', 'Too many logins are being checked. Try again in a moment.', {
    retryAfterSeconds: 1,
  });

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
    const turn = { ...requested };
    await this.#enter(turn);
    try {
      return await work();
    } catch (thrown) {
      // The other attempts would wait for the same failing back end, one after the other.
      if (isOutage(thrown)) this.#refuseAll(thrown);
      throw thrown;
    } finally {
      this.#running.delete(turn);
      this.#advance();
    }
  }

  #enter(turn: AttemptTurn): Promise<void> {
    const { signal, delayMs = 0 } = turn;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const rank = this.#rankOf(turn);
    if (this.#waiting.size >= WAITING_MAX && !this.#makeRoom(rank)) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        this.#waiting.delete(queued);
        clearTimeout(timer);
        clearTimeout(delay);
        signal?.removeEventListener('abort', leave);
        outcome();
      };
      const refuse = (reason: unknown): void => settle(() => reject(reason));
      const leave = (): void => refuse(signal?.reason);
      const start = (): void => settle(resolve);
      const queued: QueuedAttempt = { turn, rank, readyAtMs: performance.now() + delayMs, start, refuse };
      const timer = setTimeout(() => refuse(refusal()), delayMs + WAIT_MAX_MS);
      // A timer may fire up to a millisecond early.
      const delay = delayMs > 0 ? setTimeout(() => this.#advance(), delayMs + 1) : undefined;
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(queued);
      this.#advance();
    });
  }

  #rankOf({ isKnown, failures, prefix }: AttemptTurn): number {
    if (isKnown) return KNOWN_RANK;
    let waiting = 0;
    for (const { turn } of this.#waiting) if (turn.prefix === prefix) waiting += 1;
    return failures + waiting;
  }

  /** Evicts the last attempt of the queue if it ranks behind this one. */
  #makeRoom(rank: number): boolean {
    let last: QueuedAttempt | undefined;
    for (const queued of this.#waiting) if (last === undefined || queued.rank >= last.rank) last = queued;
    if (last === undefined || last.rank <= rank) return false;
    last.refuse(refusal());
    return true;
  }

  #refuseAll(reason: unknown): void {
    for (const queued of [...this.#waiting]) queued.refuse(reason);
  }

  #mayRun({ isKnown, account, lane }: AttemptTurn): boolean {
    const running = [...this.#running];
    if (lane !== undefined && running.some((turn) => turn.lane === lane)) return false;
    if (isKnown) return running.length < RUNNING_MAX;
    const unknown = running.filter((turn) => !turn.isKnown);
    if (running.length >= RUNNING_MAX || unknown.length >= UNKNOWN_RUNNING_MAX) return false;
    return unknown.filter((turn) => turn.account === account).length < RUNNING_OF_ACCOUNT_MAX;
  }

  #next(): QueuedAttempt | undefined {
    let next: QueuedAttempt | undefined;
    for (const queued of this.#waiting) {
      const isBefore = next === undefined || queued.rank < next.rank;
      if (isBefore && queued.readyAtMs <= performance.now() && this.#mayRun(queued.turn)) next = queued;
    }
    return next;
  }

  #advance(): void {
    while (this.#running.size < RUNNING_MAX) {
      const next = this.#next();
      if (next === undefined) return;
      this.#running.add(next.turn);
      next.start();
    }
  }
}
