const NEAREST_MAX = 3;

/**
 * Returns up to three names that someone may have meant by `typed`, closest first: names that contain it, or that differ in at most a third
 * of its letters (but two at least). Case is ignored.
 */
export function nearestNames(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  const differencesMax = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, differences: differencesOf(wanted, name.toLowerCase(), differencesMax) }))
    .filter(({ differences }) => differences <= differencesMax)
    .sort((one, other) => one.differences - other.differences)
    .slice(0, NEAREST_MAX)
    .map(({ name }) => name);
}

/** Counts letters that are added, missing, different or swapped (the optimal string alignment distance). Stops at more than `most`. */
function differencesOf(one: string, other: string, most: number): number {
  if (one.length > 2 && other.includes(one)) return 1;
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const cost = Math.min((last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (isSame ? 0 : 1));
      current.push(isSwapped ? Math.min(cost, (beforeLast[at - 2] ?? 0) + 1) : cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? Number.POSITIVE_INFINITY;
}
