import type { Column } from '@sluice/contract';
import { haveTimes } from '@sluice/trino-protocol';
import { writePageRows } from './write-page-rows.ts';

interface RowsOfPage {
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Uint8Array[];
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

/**
 * Writes the rows of a page again for a client that knows only times of three digits. The engine writes the digits of the types, which the
 * receipt and the store have; the clients that need this are few, so they bear its cost.
 */
export async function rowsInMilliseconds<P extends RowsOfPage>(page: P): Promise<P> {
  const { columns, rows } = page;
  if (columns === undefined || rows.length === 0 || !haveTimes(columns)) return page;
  const list = Buffer.concat([OPEN, ...rows, CLOSE]);
  return { ...page, rows: await writePageRows(list, { columns, rows: 0, times: 'milliseconds' }) };
}
