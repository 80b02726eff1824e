import type { Column } from '@sluice/contract';
import { type ResultReader, rowsOfList } from '@sluice/result-store/form';
import { writePageRows } from './write-page-rows.ts';

interface StoredPage {
  readonly columns: readonly Column[];
  readonly rows: readonly Uint8Array[];
  readonly nextRow: number | undefined;
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

/** Returns the rows of a kept result from a number on: the rest of the chunk that has the first of them. */
export async function pageOfStore(reader: ResultReader, from: number): Promise<StoredPage> {
  const { columns } = reader.header;
  for await (const { firstRow, rows, list } of reader.chunks({ from, to: from + 1 })) {
    const rest = firstRow === from ? list : Buffer.concat([OPEN, rowsOfList(list, from - firstRow, rows), CLOSE]);
    const endRow = firstRow + rows;
    return {
      columns,
      rows: await writePageRows(rest, { columns, rows: endRow - from, times: 'exact' }),
      nextRow: endRow === reader.end.rows ? undefined : endRow,
    };
  }
  return { columns, rows: [], nextRow: undefined };
}
