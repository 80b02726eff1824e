import type { Principal } from '@sluice/contract';

interface AccountBudgetOptions {
  readonly bytesMax: number;
  /** A window begins with the first bytes of an account. */
  readonly windowMs: number;
}

interface Window {
  readonly endsMs: number;
  bytes: number;
  /** Whether `exceeded` has returned it. */
  isReported: boolean;
}

interface Exceeded {
  /** Time until the account has a new budget. */
  readonly retryAfterSeconds: number;
  /** Whether this is the first call in the window that finds the budget used. */
  readonly isFirst: boolean;
}

/** Number of accounts from which ended windows are removed. */
const ACCOUNTS_SWEPT = 1000;

/** Budget of bytes for each account within a window of time, on this host. */
export class AccountBudget {
  readonly #options: AccountBudgetOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: AccountBudgetOptions) {
    this.#options = options;
  }

  /** Returns undefined while the account has bytes left. */
  exceeded(account: Principal): Exceeded | undefined {
    const window = this.#windows.get(keyOf(account));
    const leftMs = (window?.endsMs ?? 0) - performance.now();
    if (window === undefined || window.bytes < this.#options.bytesMax || leftMs <= 0) return undefined;
    const isFirst = !window.isReported;
    window.isReported = true;
    return { retryAfterSeconds: Math.ceil(leftMs / 1000), isFirst };
  }

  charge(account: Principal, bytes: number): void {
    const nowMs = performance.now();
    const key = keyOf(account);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsMs <= nowMs) {
      if (this.#windows.size >= ACCOUNTS_SWEPT) this.#removeEnded(nowMs);
      window = { endsMs: nowMs + this.#options.windowMs, bytes: 0, isReported: false };
      this.#windows.set(key, window);
    }
    window.bytes += bytes;
  }

  #removeEnded(nowMs: number): void {
    for (const [key, { endsMs }] of this.#windows) if (endsMs <= nowMs) this.#windows.delete(key);
  }
}

const keyOf = ({ tenant, id }: Principal): string => `${tenant.id} ${id}`;
