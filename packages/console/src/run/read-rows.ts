import { type Client, createRowSplitter } from '@sluice/client';
import type { ResultColumn } from '../result/result-view.ts';

/** Part of a kept result. */
interface RowsRange {
  readonly queryId: string;
  readonly columns: readonly ResultColumn[];
  readonly from: number;
  /** Maximum number of rows, up to 10,000. */
  readonly size: number;
}

/** Begins the rows in the response of `GET /query/{id}/rows`. Within a text, a quote is escaped, so it is only there. */
const ROWS_START = '"data":[';

/**
 * Returns the rows in the text of a response as the JSON text of their values, with all digits.
 * @throws SyntaxError if the text has another form
 */
export function splitRows(text: string, columns: readonly ResultColumn[]): string[][] {
  const split = createRowSplitter(columns);
  const rows: string[][] = [];
  const between = /[\s,]*/y;
  const skip = (index: number): number => {
    between.lastIndex = index;
    between.test(text);
    return between.lastIndex;
  };
  const start = text.indexOf(ROWS_START);
  if (start === -1) throw new SyntaxError('The response has no rows.');
  let index = skip(start + ROWS_START.length);
  while (text[index] !== ']') {
    const { row, end } = split(text, index);
    rows.push(row);
    index = skip(end);
  }
  return rows;
}

/**
 * Reads rows of a kept result. Fewer than `size` only at the end.
 * @throws ResponseError `not_found` if it has expired, was deleted or is not the user's; ConnectionError
 */
export async function readRows(client: Client, range: RowsRange, signal?: AbortSignal): Promise<string[][]> {
  const { queryId, columns, from, size } = range;
  let text: Promise<string> | undefined;
  await client.stream.readRows({
    params: { id: queryId },
    query: { from, size },
    ...(signal === undefined ? {} : { signal }),
    // The client parses and checks the response, and its numbers lose digits there. The grid shows the text of a copy.
    onResponse(response) {
      text = response.clone().text();
      text.catch(() => undefined);
    },
  });
  return splitRows((await text) ?? '', columns);
}
