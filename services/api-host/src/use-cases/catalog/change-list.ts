/** Change of a list: a new list, or items to add and remove. A request has only `all`, or only the other two. */
export interface ListChange {
  readonly all: readonly string[] | undefined;
  readonly add: readonly string[] | undefined;
  readonly remove: readonly string[] | undefined;
}

/** Removes items with an earlier item's key. The first spelling is kept. */
const distinct = (items: readonly string[], keyOf: (item: string) => string): string[] => {
  const byKey = new Map<string, string>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
};

/**
 * Returns a list after a change. Items with equal keys are equal. Items are removed first, then added at the end, so an item that is
 * both removed and added is in the result, in its new spelling. Adding an existing item, or removing a missing one, changes nothing.
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
