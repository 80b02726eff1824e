/** A list of a request and what it adds and removes; of the three kinds only `all`, or the other two, are given. */
export interface ListChange {
  readonly all: readonly string[] | undefined;
  readonly add: readonly string[] | undefined;
  readonly remove: readonly string[] | undefined;
}

/** Of several that are the same, the first stays as it is written. */
const distinct = (items: readonly string[], keyOf: (item: string) => string): string[] => {
  const byKey = new Map<string, string>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
};

/**
 * What becomes of a list whose items are the same when their keys are. What is removed goes first, then what is added comes to the
 * end, so an item that is both removed and added is there afterwards, in its new spelling. Adding what is there, or removing what
 * is not, changes nothing.
 */
export function changeList(
  before: readonly string[],
  { all, add, remove }: ListChange,
  keyOf: (item: string) => string,
): readonly string[] {
  if (all !== undefined) return distinct(all, keyOf);
  if (add === undefined && remove === undefined) return before;
  const removed = new Set((remove ?? []).map(keyOf));
  const kept = before.filter((item) => !removed.has(keyOf(item)));
  return distinct([...kept, ...(add ?? [])], keyOf);
}
