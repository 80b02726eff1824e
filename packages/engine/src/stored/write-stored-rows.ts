import type { Column } from '@sluice/contract';
import type { RowTemplate } from '@sluice/encoders';
import type { RowsEvent } from '../engine.ts';
import type { WriterMemory } from '../row-writer-module/writer-memory.ts';
import { RowWriter } from '../trino/cells/row-writer.ts';
import { typeOfName } from '../trino/cells/type-of-name.ts';

export interface StoredRowsOptions {
  readonly columns: readonly Column[];
  readonly template: RowTemplate;
  /** Returns the memory that the bytes of an event are copied to; by default each event gets its own. */
  readonly allocate?: (bytes: number) => Uint8Array;
  /** Opens the memory of the WebAssembly module, with which plain rows are copied about three times as fast. */
  readonly openMemory?: () => WriterMemory;
}

/**
 * Writes the rows of a kept result by a template. The bytes equal those that the engine wrote by the same template when it ran the
 * statement. Each chunk is a list of rows in their stored form (`storedRows` of the encoders). Throws `not_supported` for Parquet.
 */
export async function* writeStoredRows(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { columns, template, allocate = Buffer.allocUnsafeSlow, openMemory }: StoredRowsOptions,
): AsyncGenerator<RowsEvent, void> {
  const types = columns.map(({ type }) => typeOfName(type));
  using writer = new RowWriter({ template, columns, types, allocate, ...(openMemory && { openMemory }) });
  for await (const chunk of chunks) {
    for (const event of writer.events(chunk, 0)) if (event.kind === 'rows') yield event;
  }
}
