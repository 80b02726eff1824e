/** Checks whether a JSON value has more than `valuesMax` members of objects and elements of arrays, at any depth. */
export function hasMoreValuesThan(value: unknown, valuesMax: number): boolean {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Array.isArray(next) ? next : Object.values(next);
    count += inner.length;
    if (count > valuesMax) return true;
    for (const each of inner) if (typeof each === 'object') open.push(each);
  }
  return false;
}
