/** Counts the members of objects and elements of arrays of a JSON value, at any depth. */
export function countValues(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Array.isArray(next) ? next : Object.values(next);
    count += inner.length;
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each);
  }
  return count;
}
