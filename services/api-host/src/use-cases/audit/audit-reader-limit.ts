import { ProblemError } from '@sluice/contract';

const RETRY_AFTER_SECONDS = 10;

/** How many long readings of the log a tenant may have on this host at once. */
export class AuditReaderLimit {
  readonly #readersMax: number;
  readonly #readers = new Map<string, number>();

  constructor(readersMax: number) {
    this.#readersMax = readersMax;
  }

  /** Takes a place until it is disposed of. Throws `too_many_requests`. */
  take(tenantId: string): Disposable {
    const readers = this.#readers.get(tenantId) ?? 0;
    if (readers >= this.#readersMax) {
      throw new ProblemError(
        'too_many_requests',
        `This tenant reads its audit log ${this.#readersMax} times already. Try again later.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#readers.set(tenantId, readers + 1);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#leave(tenantId);
        isHeld = false;
      },
    };
  }

  #leave(tenantId: string): void {
    const readers = (this.#readers.get(tenantId) ?? 1) - 1;
    if (readers === 0) this.#readers.delete(tenantId);
    else this.#readers.set(tenantId, readers);
  }
}
