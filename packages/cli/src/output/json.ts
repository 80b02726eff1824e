import { createObjectPrinter } from './ndjson.ts';
import type { TextFormat } from './result-writer.ts';

/** One JSON array with an object a line. Its closing bracket is the proof that it is complete: a parser rejects a cut result. */
export function createJsonFormat(): TextFormat {
  let print = createObjectPrinter([]);
  let separator = '\n';
  return {
    head: (columns) => {
      print = createObjectPrinter(columns);
      return '[';
    },
    rows: (rows) => {
      if (rows.length === 0) return '';
      const text = `${separator}${rows.map(print).join(',\n')}`;
      separator = ',\n';
      return text;
    },
    tail: () => (separator === '\n' ? ']\n' : '\n]\n'),
  };
}
