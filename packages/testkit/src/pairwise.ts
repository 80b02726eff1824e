type Dimensions = Readonly<Record<string, readonly (string | number)[]>>;

/** One value of each dimension. */
export type Combination<Of extends Dimensions> = { readonly [Name in keyof Of]: Of[Name][number] };

/** Returns every combination of the values. */
export const allCombinations = <Of extends Dimensions>(dimensions: Of): readonly Combination<Of>[] =>
  Object.entries(dimensions).reduce<readonly Combination<Of>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{} as Combination<Of>],
  );

/** Returns a key for each pair of values of two dimensions in a combination. */
const pairsOf = (combination: object): readonly string[] => {
  const values = Object.entries(combination).map((entry) => JSON.stringify(entry));
  return values.flatMap((first, index) => values.slice(index + 1).map((second) => `${first}${second}`));
};

/**
 * Returns few combinations in which every pair of values of two dimensions occurs, always the same ones. Most faults depend on at most
 * two values (Kuhn, Wallace and Gallo, 2004). Takes the combination with the most new pairs until none is left.
 */
export function pairwise<Of extends Dimensions>(dimensions: Of): readonly Combination<Of>[] {
  const all = allCombinations(dimensions).map((combination) => ({ combination, pairs: pairsOf(combination) }));
  const missing = new Set(all.flatMap(({ pairs }) => pairs));
  const chosen: Combination<Of>[] = [];
  while (missing.size > 0) {
    const gains = all.map(({ pairs }) => pairs.filter((pair) => missing.has(pair)).length);
    const best = all[gains.indexOf(Math.max(...gains))];
    if (best === undefined) break;
    chosen.push(best.combination);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return chosen;
}
