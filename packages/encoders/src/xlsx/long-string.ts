import { CELL_CHARACTERS_MAX } from './sheet-limits.ts';

/** Ends the cell of a string that was cut. */
export const TRUNCATION_NOTE = '… [continued on the sheet Overflow]';

interface LongStringOutput {
  /** Receives the content of the cell: the whole text if it fits, otherwise its start and the mark. */
  readonly shorten: (xml: string) => void;
  /** Receives the next part of a string that does not fit, in order from its first character. */
  readonly overflow: (xml: string) => void;
}

/** Longer than any reference or escape that may be incomplete at the end of the received text. */
const LOOK_AHEAD = 16;

/** One string as XML that arrives in pieces and may be too long for a cell. Holds little more than one cell of it. */
export class LongString {
  readonly #decoder = new TextDecoder();
  readonly #output: LongStringOutput;
  #xml = '';
  #isCut = false;

  constructor(output: LongStringOutput) {
    this.#output = output;
  }

  push(bytes: Uint8Array): void {
    this.#xml += this.#decoder.decode(bytes, { stream: true });
    this.#emitParts(LOOK_AHEAD);
  }

  end(): void {
    this.#emitParts(0);
    if (this.#isCut) this.#output.overflow(this.#xml);
    else this.#output.shorten(this.#xml);
  }

  #emitParts(lookAhead: number): void {
    while (this.#xml.length > CELL_CHARACTERS_MAX + lookAhead) {
      const at = cutAt(this.#xml, CELL_CHARACTERS_MAX);
      if (at + lookAhead >= this.#xml.length) return;
      if (!this.#isCut) {
        this.#isCut = true;
        const head = this.#xml.slice(0, cutAt(this.#xml, CELL_CHARACTERS_MAX - TRUNCATION_NOTE.length));
        this.#output.shorten(head + TRUNCATION_NOTE);
      }
      this.#output.overflow(this.#xml.slice(0, at));
      this.#xml = this.#xml.slice(at);
    }
  }
}

/**
 * Returns the index after at most this many characters of the text that the XML represents, never inside a reference, an escape
 * or a surrogate pair.
 */
export function cutAt(xml: string, charactersMax: number): number {
  let at = 0;
  for (let characters = 0; characters < charactersMax && at < xml.length; characters += 1) {
    const end = xml[at] === '&' ? xml.indexOf(';', at) : at;
    if (end === -1) break;
    at = end + 1;
  }
  if (at >= xml.length) return at;
  const escaped = xml.lastIndexOf('_x', at);
  if (escaped > at - 7 && escaped < at && /^_x[0-9A-Fa-f]{4}_/.test(xml.slice(escaped, escaped + 7))) return escaped;
  return isHighSurrogate(xml.charCodeAt(at - 1)) ? at - 1 : at;
}

/** Returns whether a UTF-16 code unit is the first half of a surrogate pair. */
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
