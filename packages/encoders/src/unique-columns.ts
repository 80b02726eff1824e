import type { Column } from '@sluice/contract';

/**
 * Makes duplicate names distinct, in order: `a, a` becomes `a, a_2`. A name that the result already has is never used: `a, a,
 * a_2` becomes `a, a_3, a_2`, so that each column keeps the name that the caller gave it.
 */
export function uniqueColumns(columns: readonly Column[]): readonly Column[] {
  const given = new Set(columns.map((column) => column.name));
  const taken = new Set<string>();
  /** Next suffix to try, by name. Starting at 2 each time would take seconds for thousands of equal names. */
  const suffixes = new Map<string, number>();
  return columns.map((column) => {
    let name = column.name;
    let suffix = suffixes.get(column.name) ?? 2;
    for (; taken.has(name) || (name !== column.name && given.has(name)); suffix += 1) {
      name = `${column.name}_${suffix}`;
    }
    suffixes.set(column.name, suffix);
    taken.add(name);
    return { name, type: column.type };
  });
}
