import { type ProblemDetail, ProblemError } from '@sluice/contract';

/** What is wrong with a file, place by place, so that all of it is told at once. */
export interface ConfigurationMistakes {
  /** `path` is below `body`, as in `datamaps[0].sql`. */
  add(path: string, message: string): void;
  /** Does it, unless it is refused for what stands at `path`: that is noted, and the answer undefined. */
  noting<T>(path: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Throws `invalid_request` with every place. */
  refuse(): void;
}

/** A refusal of what was asked; whatever else is thrown is about this moment, or leaves a transaction that can do no more. */
const NOTED_STATUSES: ReadonlySet<number> = new Set([400, 403, 404]);
const LISTED_MAX = 1000;

export const isRefusal = (thrown: unknown): thrown is ProblemError =>
  thrown instanceof ProblemError && NOTED_STATUSES.has(thrown.status);

export function createConfigurationMistakes(): ConfigurationMistakes {
  const details: ProblemDetail[] = [];
  const add = (path: string, message: string): void => {
    details.push({ path: `body.${path}`, message });
  };
  return {
    add,
    async noting(path, work) {
      try {
        return await work();
      } catch (thrown) {
        if (!isRefusal(thrown)) throw thrown;
        const places = thrown.details ?? [];
        if (places.length === 0) add(path, thrown.message);
        for (const place of places) add(place.path.replace(/^body/, path), place.message);
        return undefined;
      }
    },
    refuse() {
      const [first] = details;
      if (first === undefined) return;
      const listed = details.slice(0, LISTED_MAX);
      throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
        details: listed,
      });
    },
  };
}
