import { fitLine } from '../terminal/display-width.ts';
import type { Table, TableCell } from './table.ts';

interface RecordColumn {
  readonly title: string;
  readonly isWhole?: boolean;
}

/** Returns whether a table says too little: more than half of its columns do not fit. */
export const isTooNarrow = (columns: readonly RecordColumn[], { hidden }: Table): boolean =>
  hidden.length * 2 > columns.length;

/**
 * Lays out a list for a terminal that is too narrow for its table: a line per value, and a blank line after each entry. Ids are written
 * whole, other values are cut to the line, and empty ones are left out.
 */
export function createRecords(
  columns: readonly RecordColumn[],
  { width, hasColor }: { readonly width: number; readonly hasColor: boolean },
): Table {
  const line = (index: number, cell: TableCell): string => {
    const { title, isWhole = false } = columns[index] ?? { title: '' };
    if (cell === null || cell === '') return '';
    const room = width - title.length - 2;
    const { text } = fitLine(cell, isWhole ? Number.MAX_SAFE_INTEGER : Math.max(room, 1));
    return `${hasColor ? `\u001b[1m${title}:\u001b[22m` : `${title}:`} ${text}\n`;
  };
  return {
    header: '',
    row: (cells) => `${cells.map((cell, index) => line(index, cell)).join('')}\n`,
    hidden: [],
  };
}
