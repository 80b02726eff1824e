import type { Column, RowText } from '@sluice/client';
import type { TextFormat } from './result-writer.ts';

/** Returns a function that writes a row as a JSON object, with every value exactly as the host sent it. */
export function createObjectPrinter(columns: readonly Column[]): (row: RowText) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  return (row) => {
    let text = '{';
    for (let index = 0; index < names.length; index += 1) text += `${names[index]}${row[index]}`;
    return `${text}}`;
  };
}

/** One JSON object a line, without a title line. */
export function createNdjsonFormat(): TextFormat {
  let print = createObjectPrinter([]);
  return {
    head: (columns) => {
      print = createObjectPrinter(columns);
      return '';
    },
    rows: (rows) => rows.map((row) => `${print(row)}\n`).join(''),
    tail: () => '',
  };
}
