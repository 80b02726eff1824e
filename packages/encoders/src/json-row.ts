import type { Column } from '@sluice/contract';
import type { RowPart } from './row-template.ts';

/**
 * Returns a row as a JSON object. Names are literals, so that `__proto__`, integer-like and odd names are ordinary names, in
 * order.
 */
export function jsonObjectParts(columns: readonly Column[]): readonly RowPart[] {
  const parts: RowPart[] = [];
  columns.forEach((column, index) => {
    parts.push({ literal: `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:` }, { cell: index });
  });
  return [...parts, { literal: columns.length === 0 ? '{}' : '}' }];
}
