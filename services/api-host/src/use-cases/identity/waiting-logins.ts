import { ProblemError } from '@sluice/contract';

/** Requests of clients that wait on this host for a decision: an office behind one address can log in at once. */
const OF_ADDRESS_MAX = 100;
/** A host has 2,000 connections by default. */
const OF_HOST_MAX = 500;

/** Requests that wait for users in browsers, which anyone can send. */
export class WaitingLogins {
  readonly #ofAddress = new Map<string, number>();
  #ofHost = 0;

  /** Counts a request, and returns the function that ends it. Throws `too_many_requests` beyond the limits. */
  enter(address: string): () => void {
    const waiting = this.#ofAddress.get(address) ?? 0;
    if (waiting >= OF_ADDRESS_MAX || this.#ofHost >= OF_HOST_MAX)
      throw new ProblemError(
        'too_many_requests',
        'Too many programs wait for the login of a user. Connect again later.',
      );
    this.#ofAddress.set(address, waiting + 1);
    this.#ofHost += 1;
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    this.#ofHost -= 1;
    const waiting = (this.#ofAddress.get(address) ?? 1) - 1;
    if (waiting === 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, waiting);
  }
}
