import type { z } from 'zod';

/** Key and display name of the entries of a list. */
export interface EachOnceOptions<T> {
  readonly keyOf: (entry: T) => string;
  /** Default: the key. */
  readonly nameOf?: (entry: T) => string;
}

/** Check of a list for `superRefine`: one issue for each key that several entries have, with the name of the second one. */
export const eachOnce =
  <T>(list: string, { keyOf, nameOf = keyOf }: EachOnceOptions<T>) =>
  (entries: readonly T[], context: z.RefinementCtx): void => {
    const counts = new Map<string, number>();
    for (const entry of entries) {
      const count = (counts.get(keyOf(entry)) ?? 0) + 1;
      counts.set(keyOf(entry), count);
      if (count !== 2) continue;
      context.addIssue({ code: 'custom', message: `${list} must not name ${nameOf(entry)} twice`, input: entries });
    }
  };
