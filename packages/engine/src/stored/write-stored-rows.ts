import type { Column } from '@sluice/contract';
import type { RowTemplate } from '@sluice/encoders';
import type { RowsEvent } from '../engine.ts';
import { WriterMemory } from '../row-writer-module/writer-memory.ts';
import { RowWriter } from '../trino/cells/row-writer.ts';
import { typeOfName } from '../trino/cells/type-of-name.ts';

interface StoredRowsOptions {
  readonly columns: readonly Column[];
  readonly template: RowTemplate;
  /** Returns the memory that the bytes of an event are copied to; by default each event gets its own. */
  readonly allocate?: (bytes: number) => Uint8Array;
  /** Copies plain rows with the WebAssembly module, about three times as fast. A few rows are not worth its memory. Default: true. */
  readonly usesModule?: boolean;
}

/** The memory of the module, opened by the first result. Another result that is written meanwhile does without it. */
let sharedMemory: WriterMemory | undefined;

function openMemory(): WriterMemory {
  sharedMemory ??= WriterMemory.open(0);
  return sharedMemory;
}

/**
 * Writes the rows of a kept result by a template. The bytes equal those that the engine wrote by the same template when it ran the
 * statement. Each chunk is a list of rows in their stored form (`storedRows` of the encoders). Throws `not_supported` for Parquet.
 */
export async function* writeStoredRows(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { columns, template, allocate = Buffer.allocUnsafeSlow, usesModule = true }: StoredRowsOptions,
): AsyncGenerator<RowsEvent, void> {
  const types = columns.map(({ type }) => typeOfName(type));
  using writer = new RowWriter({ template, columns, types, allocate, ...(usesModule && { openMemory }) });
  for await (const chunk of chunks) {
    for (const event of writer.events(chunk, 0)) if (event.kind === 'rows') yield event;
  }
}
