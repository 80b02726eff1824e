import type { Column } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import { haveTimes } from '@sluice/trino-protocol';

interface RowsOfPage {
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Uint8Array[];
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

const FORMAT = createFormat({ name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });

/**
 * Writes the rows of a page again for a client that knows only times of three digits. The engine writes the digits of the types, which the
 * receipt and the store have; the clients that need this are few, so they bear its cost.
 */
export async function rowsInMilliseconds<P extends RowsOfPage>(page: P): Promise<P> {
  const { columns, rows } = page;
  if (columns === undefined || rows.length === 0 || !haveTimes(columns)) return page;
  const { style, ...row } = FORMAT.row(columns);
  const template = { ...row, style: { ...style, times: 'milliseconds' as const } };
  const list = Buffer.concat([OPEN, ...rows, CLOSE]);
  const written: Uint8Array[] = [];
  // Rows with times are not copied by the module, which would only need memory.
  for await (const { bytes } of writeStoredRows([list], { columns, template, usesModule: false })) written.push(bytes);
  return { ...page, rows: written };
}
