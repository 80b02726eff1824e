import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { RowTemplate } from '@sluice/encoders';
import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { rawVector } from '../rows/raw-chunk.ts';
import type { PlainColumn } from './plain-columns.ts';
import type { CellTexts } from './varchar-texts.ts';

export interface PlainRowsOptions {
  readonly columns: readonly PlainColumn[];
  readonly template: RowTemplate;
  readonly rowsMax: number;
  readonly allocate: (bytes: number) => Uint8Array;
}

/** In UTF-8 a character of JavaScript takes 3 bytes at most, so this many always fit an event. */
const EVENT_CHARACTERS_MAX = Math.floor(EVENT_BYTES_MAX / 3);

/**
 * A whole, small result as events of rows. Every chunk is opened before the first event, so TooLargeForPlainPath comes before
 * anything is given out.
 */
export function plainRows(chunks: readonly DuckDBDataChunk[], options: PlainRowsOptions): Iterable<RowsEvent> {
  const opened = chunks.map((chunk) => ({
    rows: chunk.rowCount,
    cells: options.columns.map((column, index) => column.open(rawVector(chunk, index), chunk.rowCount)),
  }));
  return eventsOf(opened, options);
}

interface OpenedChunk {
  readonly rows: number;
  readonly cells: readonly CellTexts[];
}

function* eventsOf(chunks: readonly OpenedChunk[], options: PlainRowsOptions): Generator<RowsEvent> {
  const { separator, parts } = options.template;
  let sent = 0;
  let waiting = { text: '', rows: 0 };
  for (const { rows, cells } of chunks) {
    for (let row = 0; row < rows && sent < options.rowsMax; row += 1, sent += 1) {
      let line = sent === 0 ? '' : separator;
      for (const part of parts) line += 'literal' in part ? part.literal : (cells[part.cell]?.(row) ?? '');
      if (waiting.rows > 0 && waiting.text.length + line.length > EVENT_CHARACTERS_MAX) {
        yield* piecesOf(waiting, options.allocate);
        waiting = { text: '', rows: 0 };
      }
      waiting.text += line;
      waiting.rows += 1;
    }
  }
  if (waiting.rows > 0) yield* piecesOf(waiting, options.allocate);
}

/** One event, or several for one large row, of which the last counts it. */
function* piecesOf(
  { text, rows }: { readonly text: string; readonly rows: number },
  allocate: PlainRowsOptions['allocate'],
): Generator<RowsEvent> {
  const whole = text.length <= EVENT_CHARACTERS_MAX ? undefined : Buffer.from(text);
  if (whole === undefined || whole.byteLength <= EVENT_BYTES_MAX) {
    const length = whole?.byteLength ?? Buffer.byteLength(text);
    const bytes = allocate(length);
    Buffer.from(bytes.buffer, bytes.byteOffset, length).write(text);
    yield { kind: 'rows', rows, bytes };
    return;
  }
  for (let from = 0; from < whole.byteLength; from += EVENT_BYTES_MAX) {
    const piece = whole.subarray(from, from + EVENT_BYTES_MAX);
    const bytes = allocate(piece.byteLength);
    bytes.set(piece);
    yield { kind: 'rows', rows: from + piece.byteLength === whole.byteLength ? rows : 0, bytes };
  }
}
