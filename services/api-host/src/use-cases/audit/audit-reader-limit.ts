import { ProblemError } from '@sluice/contract';

const RETRY_AFTER_SECONDS = 10;

/** Limits the concurrent long reads of the log by one tenant on this host. */
export class AuditReaderLimit {
  readonly #readersMax: number;
  readonly #readers = new Map<string, number>();

  constructor(readersMax: number) {
    this.#readersMax = readersMax;
  }

  /** Acquires a slot, which the caller releases by disposing of it. Throws `too_many_requests`. */
  acquire(tenantId: string): Disposable {
    const readers = this.#readers.get(tenantId) ?? 0;
    if (readers >= this.#readersMax) {
      throw new ProblemError(
        'too_many_requests',
        `The tenant already has ${this.#readersMax} concurrent reads of this kind on its audit log. Try again later.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#readers.set(tenantId, readers + 1);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(tenantId);
        isHeld = false;
      },
    };
  }

  #release(tenantId: string): void {
    const readers = (this.#readers.get(tenantId) ?? 1) - 1;
    if (readers === 0) this.#readers.delete(tenantId);
    else this.#readers.set(tenantId, readers);
  }
}
