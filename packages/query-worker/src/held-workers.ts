/** How many workers each account has at this moment. */
export class HeldWorkers {
  readonly #counts = new Map<string, number>();
  readonly #lost: (string | undefined)[] = [];

  of(accountId: string | undefined): number {
    return accountId === undefined ? 0 : (this.#counts.get(accountId) ?? 0);
  }

  take(accountId: string | undefined): void {
    this.#add(accountId, 1);
  }

  giveBack(accountId: string | undefined): void {
    this.#add(accountId, -1);
  }

  /** Its statement cost the pool a worker, which counts as the account's until another one has taken its place. */
  lose(accountId: string | undefined): void {
    this.#lost.push(accountId);
  }

  /** One of the lost workers, the first, is replaced. */
  replaceOne(): void {
    if (this.#lost.length > 0) this.giveBack(this.#lost.shift());
  }

  /** Nothing more will take the place of those that were lost. */
  replaceAll(): void {
    while (this.#lost.length > 0) this.replaceOne();
  }

  #add(accountId: string | undefined, change: 1 | -1): void {
    if (accountId === undefined) return;
    const count = this.of(accountId) + change;
    if (count === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, count);
  }
}
