import type { OpenedKeptResult } from '../../queries/kept-results.ts';

/** Everything that a stream of a kept result holds until its end. */
export class StreamResources implements AsyncDisposable {
  /** The result, once it is open. */
  opened: OpenedKeptResult | undefined;
  readonly #place: Disposable;

  /** @param place - place among the streams that the account reads */
  constructor(place: Disposable) {
    this.#place = place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.#place[Symbol.dispose]();
    await opened?.[Symbol.asyncDispose]();
  }
}
