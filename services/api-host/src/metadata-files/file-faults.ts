import { type ProblemDetail, ProblemError } from '@sluice/contract';

/** Violations that an error response lists. */
const FAULTS_MAX = 100;

const lineOf = ({ path }: ProblemDetail): number => Number(/^line (\d+)/.exec(path)?.[1] ?? 0);

/** Violations of one file. */
export class FileFaults {
  readonly #details: ProblemDetail[] = [];

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** Throws `invalid_request` at the largest number of violations that a response lists. */
  add(...details: readonly ProblemDetail[]): void {
    this.#details.push(...details);
    if (this.#details.length >= FAULTS_MAX) this.throwIfAny();
  }

  throwIfAny(): void {
    // An object is checked when its last row is read, after violations of single rows.
    const details = this.#details.slice(0, FAULTS_MAX).sort((a, b) => lineOf(a) - lineOf(b));
    const [first] = details;
    if (first === undefined) return;
    throw new ProblemError('invalid_request', `The file is not valid: ${first.path}: ${first.message}.`, {
      details,
    });
  }
}
