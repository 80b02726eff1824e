import { type Principal, ProblemError, REFUSED_BODY_BYTES_MAX, REFUSED_BODY_WINDOW_MS } from '@sluice/contract';
import { AccountBudget } from './account-budget.ts';

/** Bodies of one account that were refused. */
export interface RefusedBodiesOfAccount {
  /** Throws `too_many_requests` when the account has used its budget. */
  admit(): void;
  add(bytes: number): void;
}

/**
 * Budget of bytes for the refused bodies of each account. A refused body costs time of the host's only thread and is limited by nothing
 * else: no query starts, no record is written.
 */
export class RefusedBodies {
  readonly #budget = new AccountBudget({ bytesMax: REFUSED_BODY_BYTES_MAX, windowMs: REFUSED_BODY_WINDOW_MS });

  of(account: Principal): RefusedBodiesOfAccount {
    return { admit: () => this.#admit(account), add: (bytes) => this.#budget.charge(account, bytes) };
  }

  #admit(account: Principal): void {
    const exceeded = this.#budget.exceeded(account);
    if (exceeded === undefined) return;
    throw new ProblemError(
      'too_many_requests',
      'Too many bodies of your requests were not valid. Correct them, and send the next one later.',
      { retryAfterSeconds: exceeded.retryAfterSeconds },
    );
  }
}
