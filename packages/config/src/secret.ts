import { inspect } from 'node:util';

const SHOWN = '[secret]';

/** A value that does not show itself: printed, inspected, joined to a string or made JSON, it is `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself; for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
