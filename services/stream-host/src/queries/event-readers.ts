import { EVENT_READERS_MAX, type Principal, ProblemError } from '@sluice/contract';

const RETRY_AFTER_SECONDS = 5;

/** Limits the streams of kept results that one account reads, or waits for, at once on this host. */
export class EventReaders {
  readonly #byAccount = new Map<string, number>();

  /** Acquires a place, which the caller releases by disposing of it. Throws `too_many_requests`. */
  acquire({ tenant, id }: Principal): Disposable {
    const account = `${tenant.id} ${id}`;
    const readers = this.#byAccount.get(account) ?? 0;
    if (readers >= EVENT_READERS_MAX) {
      throw new ProblemError(
        'too_many_requests',
        `You read ${EVENT_READERS_MAX} streams of kept results already. Read one to its end, or close it, and send the request again.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#byAccount.set(account, readers + 1);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(account);
        isHeld = false;
      },
    };
  }

  #release(account: string): void {
    const readers = (this.#byAccount.get(account) ?? 1) - 1;
    if (readers === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, readers);
  }
}
