import type { Column } from '@sluice/contract';

/**
 * Makes duplicate names distinct, in order: `a, a` becomes `a, a_2`. A name that was there already is never taken: `a, a, a_2`
 * becomes `a, a_3, a_2`, so that the name a caller gave stays with the column it was given to.
 */
export function uniqueColumns(columns: readonly Column[]): readonly Column[] {
  const given = new Set(columns.map((column) => column.name));
  const taken = new Set<string>();
  /** By name, where its next free suffix is looked for: from 2 each time, thousands of one name would take seconds. */
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
