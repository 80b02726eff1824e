import type { DuckDBResult } from '@duckdb/node-api';
import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import type { CellContext } from '../cells/cells.ts';
import { eventsOfRow } from './large-row-events.ts';
import { hasLongStrings, type LongStringColumns, withLongStrings } from './long-strings.ts';
import { RowBytes } from './row-bytes.ts';

interface RowStreamOptions {
  /** Text of the last row, and of no other row. */
  readonly endMark: string;
  /** Bytes before each row except the first. */
  readonly separatorBytes: number;
  readonly rowsMax?: number | undefined;
  /** Stops the engine's work; called if the reader leaves before the end. */
  readonly interrupt: () => void;
  /** Whether rows contain long strings that are not JSON yet. */
  readonly longStrings: CellContext['longStrings'];
  /** Returns the memory that bytes are copied to; the receiver of the event may return it. */
  readonly allocate: (bytes: number) => Uint8Array;
}

export interface RowStreamEnd {
  /** There were more rows than requested. */
  readonly limited: boolean;
}

/**
 * Reads a streamed result, with rows in a VARCHAR column and long strings in others, as events of whole rows. Returns undefined if
 * it ended without its mark: such a result was cut, whatever the library reports. The next chunk is computed while the current
 * one is passed on.
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
      if (end.marked) return undefined; // rows after the mark: the order was not kept, so the mark proves nothing
      const rows = new RowBytes(chunk);
      const isLarge = rows.bytes > CHUNK_BYTES_AHEAD_MAX;
      if (!isLarge) next = fetchAhead(result);
      end.marked = isMark(rows, endMark);
      const present = rows.rows - (end.marked ? 1 : 0);
      const wanted = Math.min(present, (options.rowsMax ?? Number.POSITIVE_INFINITY) - sent);
      end.limited ||= wanted < present;
      yield* eventsOf(rows, { ...options, count: wanted, skip: sent === 0 ? options.separatorBytes : 0 });
      sent += wanted;
      if (isLarge) {
        chunk.reset(); // frees its strings now; a garbage collector does not see them and would free them later
        next = fetchAhead(result);
      }
    }
    isOver = true;
    return end.marked ? { limited: end.limited } : undefined;
  } finally {
    if (!isOver) options.interrupt();
    await next.catch(() => undefined); // the connection must not be closed during a fetch
  }
}

/** While a chunk of more bytes is passed on, no other is computed: there is no room for two of 2,048 rows of 100 kB. */
const CHUNK_BYTES_AHEAD_MAX = 32 * 1024 * 1024;

function fetchAhead(result: DuckDBResult): ReturnType<DuckDBResult['fetchChunk']> {
  const next = result.fetchChunk();
  next.catch(() => undefined); // awaited in the next round; until then nothing handles it
  return next;
}

interface EventOptions extends Pick<RowStreamOptions, 'allocate' | 'longStrings'> {
  /** Number of wanted rows, from the first on. */
  readonly count: number;
  /** Bytes to skip before the first. */
  readonly skip: number;
}

function* eventsOf(rows: RowBytes, { count, skip, allocate, longStrings }: EventOptions): Generator<RowsEvent> {
  for (let from = 0; from < count; ) {
    const skipped = from === 0 ? skip : 0;
    const fit = rows.rowsWithin(from, EVENT_BYTES_MAX, count);
    if (fit.rows === 0) {
      yield* longStrings === 'marked'
        ? longStringRow(rows, from, { skipped, allocate })
        : largeRow(rows, from, { skipped, allocate });
      from += 1;
      continue;
    }
    const bytes = allocate(fit.bytes);
    rows.copy(from, fit.rows, bytes);
    if (longStrings === 'marked' && hasLongStrings(bytes)) {
      for (let row = from; row < from + fit.rows; row += 1) {
        yield* longStringRow(rows, row, { skipped: row === from ? skipped : 0, allocate });
      }
    } else yield { kind: 'rows', rows: fit.rows, bytes: bytes.subarray(skipped) };
    from += fit.rows;
  }
}

interface RowOptions extends Pick<RowStreamOptions, 'allocate'> {
  readonly skipped: number;
}

function longStringRow(rows: RowBytes, row: number, { skipped, allocate }: RowOptions): Generator<RowsEvent> {
  const columns: LongStringColumns = (column, pieceBytes) => rows.piecesOfColumn(column, row, pieceBytes);
  return eventsOfRow(withLongStrings(rows.view(row).subarray(skipped), columns), allocate);
}

function* largeRow(rows: RowBytes, row: number, { skipped, allocate }: RowOptions): Generator<RowsEvent> {
  const length = rows.byteLength(row);
  let end = 0;
  for (const piece of rows.pieces(row, EVENT_BYTES_MAX)) {
    const bytes = allocate(piece.byteLength);
    bytes.set(piece);
    const start = end === 0 ? skipped : 0;
    end += piece.byteLength;
    yield { kind: 'rows', rows: end === length ? 1 : 0, bytes: bytes.subarray(start) };
  }
}

function isMark(rows: RowBytes, mark: Buffer): boolean {
  const last = rows.rows - 1;
  return rows.byteLength(last) === mark.length && mark.equals(rows.view(last));
}
