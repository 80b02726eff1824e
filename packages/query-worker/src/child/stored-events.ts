import { createFormat, type FormatSpec } from '@sluice/encoders';
import type { Engine, ResultEvent } from '@sluice/engine';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import { ChunkCipher, type ResultBytes, ResultReader } from '@sluice/result-store/form';
import type { StoredSpec } from '../protocol/query-job.ts';

interface StoredEventsOptions {
  readonly stored: StoredSpec;
  readonly source: ResultBytes;
  readonly format: FormatSpec;
  /** Opens the engine, which only a format needs that an engine writes. */
  readonly openEngine: () => Promise<Engine>;
  readonly allocate: (bytes: number) => Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Renders the rows of a kept result in a format. The events have the bytes of those that an engine yields when it runs the statement in this
 * format. Throws DamagedResultError if the result is not complete and unchanged.
 */
export async function* storedEvents(options: StoredEventsOptions): AsyncGenerator<ResultEvent, void> {
  const { stored, source, signal, allocate } = options;
  const reader = await ResultReader.open(source, new ChunkCipher(Buffer.from(stored.key, 'base64'), stored));
  const { columns, fileTypes, timeZone } = reader.header;
  yield { kind: 'columns', columns };
  const template = createFormat(options.format).row(columns);
  const chunks = listsOf(reader, signal);
  if (template.style.notation !== 'parquet') {
    yield* writeStoredRows(chunks, { columns, template, allocate });
    yield { kind: 'end', limited: reader.end.limited };
    return;
  }
  const engine = await options.openEngine();
  if (engine.storedParquet === undefined) throw new Error('The engine of a job cannot write files.');
  yield* engine.storedParquet({ columns, fileTypes, timeZone, chunks }, signal);
}

async function* listsOf(reader: ResultReader, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const { list } of reader.chunks()) {
    signal.throwIfAborted();
    yield list;
  }
}
