/** How many workers each account has at this moment. */
export class HeldWorkers {
  readonly #counts = new Map<string, number>();

  of(accountId: string | undefined): number {
    return accountId === undefined ? 0 : (this.#counts.get(accountId) ?? 0);
  }

  add(accountId: string | undefined, change: 1 | -1): void {
    if (accountId === undefined) return;
    const count = this.of(accountId) + change;
    if (count === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, count);
  }
}
