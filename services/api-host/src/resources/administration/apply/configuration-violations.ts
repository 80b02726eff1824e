import { type ProblemDetail, ProblemError, requireValid } from '@sluice/contract';

/** Violations of a file with their paths, collected so that one response reports all of them. */
export interface ConfigurationViolations {
  /** Adds a violation. `path` is relative to `body`, as in `datamaps[0].sql`. */
  add(path: string, message: string): void;
  /** Returns the result of `work`. If it rejects the entry at `path`, adds the violation and returns undefined. */
  collect<T>(path: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Throws `invalid_request` with every violation, if there is one. */
  throwIfAny(): void;
}

/** Statuses of a rejected request. Other errors are temporary, or have aborted the transaction. */
const REJECTED_STATUSES: ReadonlySet<number> = new Set([400, 403, 404]);
const LISTED_MAX = 1000;

export const isRejection = (thrown: unknown): thrown is ProblemError =>
  thrown instanceof ProblemError && REJECTED_STATUSES.has(thrown.status);

export function createConfigurationViolations(): ConfigurationViolations {
  const details: ProblemDetail[] = [];
  const add = (path: string, message: string): void => {
    details.push({ path: `body.${path}`, message });
  };
  return {
    add,
    async collect(path, work) {
      try {
        return await work();
      } catch (thrown) {
        if (!isRejection(thrown)) throw thrown;
        const places = thrown.details ?? [];
        if (places.length === 0) add(path, thrown.message);
        for (const place of places) add(place.path.replace(/^body/, path), place.message);
        return undefined;
      }
    },
    throwIfAny() {
      requireValid(details.slice(0, LISTED_MAX));
    },
  };
}
