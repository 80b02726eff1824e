import type { Column } from '@sluice/contract';
import { type CellStyle, createFormat } from '@sluice/encoders';
import { writeStoredRows } from '@sluice/engine/stored-rows';

/** Rows from which on the WebAssembly module is worth its memory. */
const MODULE_ROWS_MIN = 10_000;

const FORMAT = createFormat({ name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });

interface PageRowsOptions {
  readonly columns: readonly Column[];
  /** Number of the rows. */
  readonly rows: number;
  readonly times: NonNullable<CellStyle['times']>;
}

/** Writes a list of rows, as a kept result has it, as the rows of a page. With exact times, they have the bytes that the engine wrote. */
export async function writePageRows(
  list: Uint8Array,
  { columns, rows, times }: PageRowsOptions,
): Promise<readonly Uint8Array[]> {
  const { style, ...row } = FORMAT.row(columns);
  const template = { ...row, style: { ...style, times } };
  const written: Uint8Array[] = [];
  for await (const { bytes } of writeStoredRows([list], { columns, template, usesModule: rows >= MODULE_ROWS_MIN }))
    written.push(bytes);
  return written;
}
