import type { z } from 'zod';

/** Functions that compare the entries of a list and name them in messages. */
export interface UniqueEntriesOptions<T> {
  readonly keyOf: (entry: T) => string;
  /** Name of an entry in messages. Default: the key. */
  readonly nameOf?: (entry: T) => string;
}

/** Check for `superRefine` that reports one issue for each repeated key of a list, with the name of the second entry. */
export const uniqueEntries =
  <T>(list: string, { keyOf, nameOf = keyOf }: UniqueEntriesOptions<T>) =>
  (entries: readonly T[], context: z.RefinementCtx): void => {
    const counts = new Map<string, number>();
    for (const entry of entries) {
      const count = (counts.get(keyOf(entry)) ?? 0) + 1;
      counts.set(keyOf(entry), count);
      if (count !== 2) continue;
      context.addIssue({ code: 'custom', message: `${list} must not name ${nameOf(entry)} twice`, input: entries });
    }
  };
