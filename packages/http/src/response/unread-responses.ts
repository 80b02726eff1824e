import { type Principal, ProblemError, UNREAD_BYTES_MAX } from '@sluice/contract';

/**
 * Bytes of responses that each account has not read yet, on this host. A response with a body in memory, such as a page of a list, stays
 * there until its client reads it, and one client can open many connections. Results of queries are not counted: they are read as fast as
 * they are sent.
 */
export class UnreadResponses {
  readonly #bytes = new Map<string, number>();

  /** Throws `too_many_requests` when the account has not read what it was sent. */
  admit(account: Principal, bytes = 0): void {
    const unread = this.#bytes.get(keyOf(account)) ?? 0;
    if (unread === 0 || unread + bytes <= UNREAD_BYTES_MAX) return;
    throw new ProblemError(
      'too_many_requests',
      'Read the responses to your earlier requests first: too many bytes of them are waiting.',
      { retryAfterSeconds: 1 },
    );
  }

  /** Adds a response. Returns a function that removes it. */
  add(account: Principal, bytes: number): () => void {
    const key = keyOf(account);
    this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + bytes);
    return () => {
      const left = (this.#bytes.get(key) ?? 0) - bytes;
      if (left > 0) this.#bytes.set(key, left);
      else this.#bytes.delete(key);
    };
  }
}

const keyOf = ({ tenant, id }: Principal): string => `${tenant.id} ${id}`;
