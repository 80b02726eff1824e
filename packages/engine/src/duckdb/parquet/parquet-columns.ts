import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import type { Shape } from '../source.ts';
import { columnAlias } from '../source.ts';
import { sqlIdentifier } from '../sql-text.ts';
import { parquetValue } from './parquet-value.ts';

/**
 * Returns the select list of a Parquet file over a source's aliased columns. The engine treats names that differ only in case as
 * equal, and would rename one in its own way. Throws `not_supported` for a column without a name.
 */
export function parquetColumns({ columns, types }: Shape, timeZone: string): string {
  const names = distinctNames(columns);
  return types
    .map((type, index) => {
      const name = names[index] ?? '';
      const value = parquetValue(type, columnAlias(index), { column: name, timeZone, depth: 0 });
      return `${value} AS ${sqlIdentifier(name)}`;
    })
    .join(', ');
}

function distinctNames(columns: readonly Column[]): readonly string[] {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const seen = new Set<string>();
  return columns.map(({ name }, index) => {
    if (name === '') {
      throw new ProblemError(
        'not_supported',
        `Column ${index + 1} has no name, which Parquet requires. Name it with AS.`,
      );
    }
    let distinct = name;
    const isFree = () => !seen.has(distinct.toLowerCase()) && (distinct === name || !taken.has(distinct.toLowerCase()));
    for (let number = 2; !isFree(); number += 1) distinct = `${name}_${number}`;
    seen.add(distinct.toLowerCase());
    return distinct;
  });
}
