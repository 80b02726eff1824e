import { ACCOUNT_REQUESTS_WAITING_MAX, type Operation, type Principal, ProblemError } from '@sluice/contract';

/** Ends a request's use of its account's share. */
export type LeaveShare = () => void;

export interface AccountRequestsOptions {
  /** Requests of one account that run at once. Default: 5. */
  readonly runningMax?: number;
  /** Time after which a request that waits is rejected. Default: 6 s. */
  readonly waitMs?: number;
  /**
   * Time after which a request that still runs gives its place up. Default: 3 s. At least the time limit of a statement: what runs for longer
   * waits for something else, such as an engine or the body that its client sends.
   */
  readonly placeMs?: number;
  /** Requests of one account that wait. Default: 500. Tests shorten the queue. */
  readonly waitingMax?: number;
}

const RUNNING_MAX = 5;
const WAIT_MS = 6_000;
const PLACE_MS = 3_000;

interface AccountQueue {
  running: number;
  /** Requests that wait, first come first served. */
  readonly waiting: Set<() => void>;
}

/**
 * Share of each account in the requests that this host serves at once. Each request needs time of the host's only thread and connections to
 * PostgreSQL. Without a share, one account with hundreds of requests in flight delays every statement of the others.
 */
export class AccountRequests {
  readonly #options: Required<AccountRequestsOptions>;
  readonly #queues = new Map<string, AccountQueue>();

  constructor(options: AccountRequestsOptions = {}) {
    this.#options = {
      runningMax: RUNNING_MAX,
      waitMs: WAIT_MS,
      placeMs: PLACE_MS,
      waitingMax: ACCOUNT_REQUESTS_WAITING_MAX,
      ...options,
    };
  }

  /**
   * Waits until fewer requests of the account run than its share. Throws `too_many_requests` when too many wait already, or after the time
   * limit, and the reason of `signal` when the client has gone.
   */
  async enter(account: Principal, operation: Operation, signal: AbortSignal): Promise<LeaveShare> {
    if (!isShared(operation)) return () => undefined;
    const key = keyOf(account, operation);
    const queue = this.#queues.get(key) ?? { running: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    if (queue.running < this.#options.runningMax) queue.running += 1;
    else await this.#wait(queue, signal);
    return this.#hold(key, queue);
  }

  /** Returns a function that gives the place up, once. */
  #hold(key: string, queue: AccountQueue): LeaveShare {
    let isHeld = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (isHeld) this.#leave(key, queue);
      isHeld = false;
    };
    const timer = setTimeout(leave, this.#options.placeMs);
    return leave;
  }

  #wait({ waiting }: AccountQueue, signal: AbortSignal): Promise<void> {
    if (waiting.size >= this.#options.waitingMax) return Promise.reject(shareUsed());
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        signal.removeEventListener('abort', abort);
      };
      const start = (): void => {
        stop();
        resolve();
      };
      const abort = (): void => {
        stop();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        stop();
        reject(shareUsed());
      }, this.#options.waitMs);
      waiting.add(start);
      signal.addEventListener('abort', abort);
    });
  }

  /** The place passes to the next request directly, so that a new one cannot overtake it. */
  #leave(key: string, queue: AccountQueue): void {
    const [next] = queue.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) this.#queues.delete(key);
  }
}

const shareUsed = (): ProblemError =>
  new ProblemError(
    'too_many_requests',
    'Your other requests use your whole share of this host: wait for their responses, then send this one again.',
    { retryAfterSeconds: 1 },
  );

/**
 * Whether a request needs a place in its account's share. Queries and downloads wait in the queue for query workers, which has a share for each
 * account too. Other streams and uploads last as long as their clients read or send.
 */
const isShared = ({ streams, upload, responses }: Operation): boolean =>
  streams !== true &&
  upload === undefined &&
  !Object.values(responses).some(({ mediaType }) => mediaType === 'text/event-stream');

/** Removals have a share of their own, so that a query can be cancelled while other requests wait. */
const keyOf = ({ tenant, id }: Principal, { method }: Operation): string =>
  `${tenant.id} ${id}${method === 'DELETE' ? ' removals' : ''}`;
