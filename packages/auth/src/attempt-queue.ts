import { asProblem, ProblemError } from '@sluice/contract';

/** An attempt to log in that asks for its turn. */
export interface AttemptTurn {
  /** Prefix of the client's address. */
  readonly prefix: string;
  /** Recent failures of that prefix: who has fewer goes first. */
  readonly failures: number;
  readonly account: string;
  /** Attempts of one lane run one after the other. */
  readonly lane?: string | undefined;
  /** The client has a session or a device cookie of the account: it goes before all others, and is not turned away for them. */
  readonly isKnown: boolean;
  /** The turn comes after this delay at the earliest. */
  readonly delayMs?: number;
  /** Aborts with a ProblemError when the client is gone. */
  readonly signal?: AbortSignal | undefined;
}

interface QueuedAttempt {
  readonly turn: AttemptTurn;
  /** The lower goes first; of equal ones the one that came first. */
  readonly rank: number;
  readonly readyAtMs: number;
  start(): void;
  refuse(reason: unknown): void;
}

/** Together they use this many connections to the database at most. Hashing has a lower limit of its own. */
const RUNNING_MAX = 4;
/** One place is kept for clients that are known. */
const UNKNOWN_RUNNING_MAX = 3;
/** So that guesses at one account leave a place for the logins of others. */
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
 * Bounds how many attempts to log in are judged at once on this host, whatever number of clients guesses. The order is fair between
 * addresses: one that floods the queue, or has failed before, waits behind one that has not.
 */
export class AttemptQueue {
  readonly #waiting = new Set<QueuedAttempt>();
  readonly #running = new Set<AttemptTurn>();

  /** Throws `too_many_requests` when the queue is full or the turn does not come in time. */
  async run<T>(wanted: AttemptTurn, work: () => Promise<T>): Promise<T> {
    const turn = { ...wanted };
    await this.#enter(turn);
    try {
      return await work();
    } catch (thrown) {
      // The others would each wait for the same back end until it fails.
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

  /** Turns away the attempt that would be the last one, if it ranks behind this. */
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
