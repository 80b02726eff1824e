import type { DuckDBResult } from '@duckdb/node-api';
import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { RowBytes } from './row-bytes.ts';

export interface RowStreamOptions {
  /** The last row, and nothing but the last row, has this text. */
  readonly endMark: string;
  /** Bytes before each row that the first one does not have. */
  readonly separatorBytes: number;
  readonly rowsMax?: number | undefined;
  /** Stops what the engine computes; called when the reader leaves before the end. */
  readonly interrupt: () => void;
  /** Where bytes are copied to; whoever gets the event may give them back. */
  readonly allocate: (bytes: number) => Uint8Array;
}

export interface RowStreamEnd {
  /** There were more rows than were asked for. */
  readonly limited: boolean;
}

/**
 * Reads a streamed result of one VARCHAR column as events of whole rows. Returns undefined when it ended without its mark: such
 * a result was cut, whatever the library says of it. The next chunk is computed while the present one is handed on.
 */
export async function* readRows(
  result: DuckDBResult,
  options: RowStreamOptions,
): AsyncGenerator<RowsEvent, RowStreamEnd | undefined> {
  const endMark = Buffer.from(options.endMark);
  const end = { marked: false, limited: false };
  let sent = 0;
  let isOver = false;
  let next = result.fetchChunk();
  try {
    for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
      if (end.marked) return undefined; // rows behind the mark: the order was not kept, so the mark proves nothing
      next = result.fetchChunk();
      next.catch(() => undefined); // it is awaited in the next round; until then nobody listens
      const rows = new RowBytes(chunk);
      end.marked = isMark(rows, endMark);
      const present = rows.rows - (end.marked ? 1 : 0);
      const wanted = Math.min(present, (options.rowsMax ?? Number.POSITIVE_INFINITY) - sent);
      end.limited ||= wanted < present;
      yield* eventsOf(rows, {
        count: wanted,
        skip: sent === 0 ? options.separatorBytes : 0,
        allocate: options.allocate,
      });
      sent += wanted;
    }
    isOver = true;
    return end.marked ? { limited: end.limited } : undefined;
  } finally {
    if (!isOver) options.interrupt();
    await next.catch(() => undefined); // the connection must not be closed under a running fetch
  }
}

interface EventOptions {
  /** Rows wanted, from the first on. */
  readonly count: number;
  /** Bytes to leave out before the first. */
  readonly skip: number;
  readonly allocate: RowStreamOptions['allocate'];
}

function* eventsOf(rows: RowBytes, { count, skip, allocate }: EventOptions): Generator<RowsEvent> {
  for (let from = 0; from < count; ) {
    const skipped = from === 0 ? skip : 0;
    const fit = rows.rowsWithin(from, EVENT_BYTES_MAX, count);
    if (fit.rows === 0) {
      yield* piecesOf(rows.view(from).subarray(skipped), allocate);
      from += 1;
    } else {
      const bytes = allocate(fit.bytes);
      rows.copy(from, fit.rows, bytes);
      yield { kind: 'rows', rows: fit.rows, bytes: bytes.subarray(skipped) };
      from += fit.rows;
    }
  }
}

/** One large row, so that nobody behind has to hold it whole. */
function* piecesOf(row: Uint8Array, allocate: RowStreamOptions['allocate']): Generator<RowsEvent> {
  for (let from = 0; from < row.byteLength; from += EVENT_BYTES_MAX) {
    const piece = row.subarray(from, Math.min(from + EVENT_BYTES_MAX, row.byteLength));
    const bytes = allocate(piece.byteLength);
    bytes.set(piece);
    yield { kind: 'rows', rows: from + piece.byteLength === row.byteLength ? 1 : 0, bytes };
  }
}

function isMark(rows: RowBytes, mark: Buffer): boolean {
  const last = rows.rows - 1;
  return rows.byteLength(last) === mark.length && mark.equals(rows.view(last));
}
