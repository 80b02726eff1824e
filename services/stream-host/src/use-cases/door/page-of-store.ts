import type { Column } from '@sluice/contract';
import { type ResultReader, rowsOfList } from '@sluice/result-store/form';

interface StoredPage {
  readonly columns: readonly Column[];
  readonly rows: readonly Uint8Array[];
  readonly nextRow: number | undefined;
}

const LINE_FEED = 0x0a;

/**
 * Returns the rows of a kept result from a number on: the rest of the chunk that has the first of them. They are kept as they were sent, so
 * their bytes are those of the receipt.
 */
export async function pageOfStore(reader: ResultReader, from: number): Promise<StoredPage> {
  const { columns } = reader.header;
  for await (const { firstRow, rows, list } of reader.chunks({ from, to: from + 1 })) {
    const rest = firstRow === from ? list.subarray(1, -1) : rowsOfList(list, from - firstRow, rows);
    const endRow = firstRow + rows;
    return {
      columns,
      rows: [withoutSeparator(rest)],
      nextRow: endRow === reader.end.rows ? undefined : endRow,
    };
  }
  return { columns, rows: [], nextRow: undefined };
}

/** Leaves out the end of the separator before the first row of a page: its comma is in the page before, or between two chunks. */
const withoutSeparator = (rows: Uint8Array): Uint8Array => (rows[0] === LINE_FEED ? rows.subarray(1) : rows);
