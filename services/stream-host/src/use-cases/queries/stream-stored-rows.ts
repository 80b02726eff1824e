import {
  createFormat,
  HEARTBEAT,
  orHeartbeat,
  RowNumbers,
  SSE_HEARTBEAT,
  sseStoredEnd,
  sseStoredError,
  sseStoredHead,
} from '@sluice/encoders';
import type { RowsEvent } from '@sluice/engine';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import { type ResultReader, rowsOfList } from '@sluice/result-store/form';
import type { OpenedKeptResult } from '../../queries/kept-results.ts';

interface StoredStreamOptions {
  readonly queryId: string;
  /** Number of the first rows that are left out. */
  readonly after: number;
  readonly bigNumbers: 'number' | 'string';
  /** Whether each row has its number as `id`. */
  readonly numbersRows: boolean;
  /** Time without an event after which a heartbeat comment is sent. */
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
  /** Resolves to false when the caller has lost the right to the rows. */
  readonly mayRead: () => Promise<boolean>;
}

/** Rows from which on the WebAssembly module is worth its memory. */
const MODULE_ROWS_MIN = 10_000;

/** The last event of a stream whose caller has lost the right to it. */
export const LOST_RIGHT = {
  code: 'QUERY_CANCELLED',
  message: 'The stream was stopped because its caller lost the right to read kept results.',
} as const;

type RowsStep = IteratorResult<RowsEvent, void>;

const encoder = new TextEncoder();
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

/**
 * Yields the events of a kept result: metadata, the rows after a number of them, and `complete`. The data of the rows has the bytes of
 * `POST /query`. Throws the reason of `signal`, and errors of the store; the transfer must be cut then.
 */
export async function* streamStoredRows(
  { reader, kept }: OpenedKeptResult,
  options: StoredStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const { queryId, after, heartbeatMs, signal, mayRead } = options;
  const { header, end } = reader;
  yield encoder.encode(sseStoredHead({ columns: header.columns, queryId, asOfMs: header.ranAtMs }));
  const numbers = options.numbersRows ? new RowNumbers(after) : undefined;
  const events = rowEvents(reader, options);
  let isAtRowStart = true;
  try {
    for (;;) {
      const next = events.next();
      // A heartbeat in the middle of a row would be part of it.
      let step: RowsStep | typeof HEARTBEAT = isAtRowStart ? await orHeartbeat(next, heartbeatMs) : await next;
      while (step === HEARTBEAT) {
        yield encoder.encode(SSE_HEARTBEAT);
        step = await orHeartbeat(next, heartbeatMs);
      }
      if (step.done === true) break;
      const { rows, bytes }: RowsEvent = step.value;
      yield numbers?.add(bytes, rows) ?? bytes;
      isAtRowStart = rows > 0;
      signal.throwIfAborted();
      if (isAtRowStart && !(await mayRead())) {
        yield encoder.encode(sseStoredError(LOST_RIGHT, queryId));
        return;
      }
    }
  } finally {
    await events.return();
  }
  const { rows, limited } = end;
  yield encoder.encode(sseStoredEnd({ queryId, rows, limited, untilMs: kept.expires.getTime() }));
}

function rowEvents(
  reader: ResultReader,
  { after, bigNumbers }: StoredStreamOptions,
): ReturnType<typeof writeStoredRows> {
  const { columns } = reader.header;
  const format = createFormat({ name: 'sse', bigNumbers, formulas: 'keep', progress: 'hidden' });
  return writeStoredRows(listsAfter(reader, after), {
    columns,
    template: format.row(columns),
    usesModule: reader.end.rows - after >= MODULE_ROWS_MIN,
  });
}

/** Yields lists of rows, a chunk at a time. Only the first one is searched for its first row. */
async function* listsAfter(reader: ResultReader, after: number): AsyncGenerator<Uint8Array> {
  for await (const { firstRow, rows, list } of reader.chunks({ from: after })) {
    if (after <= firstRow) yield list;
    else yield Buffer.concat([OPEN, rowsOfList(list, after - firstRow, rows), CLOSE]);
  }
}
