import type { Requester } from '@sluice/shared-state';
import { SlotCounts } from './slot-counts.ts';

/** Workers that were lost to an account's statements. Each counts as held by the account until it is replaced. */
export class LostWorkers {
  readonly #counts = new SlotCounts();
  readonly #lost: Requester[] = [];

  ofAccount(requester: Requester): number {
    return this.#counts.ofAccount(requester);
  }

  add(requester: Requester): void {
    this.#lost.push(requester);
    this.#counts.add(requester, 1);
  }

  /** Removes the worker that was lost first. */
  replaceOne(): void {
    const replaced = this.#lost.shift();
    if (replaced !== undefined) this.#counts.add(replaced, -1);
  }

  /** Removes all: no more replacements are starting. */
  replaceAll(): void {
    while (this.#lost.length > 0) this.replaceOne();
  }
}
