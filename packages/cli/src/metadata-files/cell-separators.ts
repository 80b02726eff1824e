import { quoted } from './csv-rows.ts';

/** Longer plain cells are passed on as they are: the host rejects a row of this length anyway. */
const CELL_CHARACTERS_MAX = 4 * 1024 * 1024;
/** The header of a metadata file is shorter. */
const HEADER_BYTES_MAX = 4096;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** A line that tells Excel the separator. It is not part of the data. */
const EXCEL_LINE = /^(\uFEFF?)sep=([^\r\n])(?=\r?\n|\r|$)/i;

interface Separator {
  readonly character: string;
  /** Characters of the text before the header, without its line end. */
  readonly skipped: number;
}

/** Returns the separator of a file that has another one than the comma. Spreadsheets write semicolons or tabs where the comma is the decimal mark. */
export function findSeparator(start: string): Separator | undefined {
  const told = EXCEL_LINE.exec(start);
  if (told !== null) return { character: told[2] ?? ',', skipped: told[0].length };
  const [header = ''] = start.trimStart().split(/[\r\n]/, 1);
  if (header.includes(',')) return undefined;
  const character = [';', '\t'].find((each) => header.includes(each));
  return character === undefined ? undefined : { character, skipped: 0 };
}

/** Writes commas between the cells of CSV. Lines stay where they are, and so do quoted cells. */
export class SeparatorConverter {
  readonly #separator: number;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  /** Beginning of a plain cell: it needs quotes if a comma follows. */
  #held = '';

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0);
  }

  /** Returns what is known of the converted text. */
  add(piece: string): string {
    let converted = '';
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      const isEnd = this.#state !== 'quoted' && (code === this.#separator || code === LF || code === CR);
      if (!isEnd) {
        this.#advance(code);
        continue;
      }
      converted += this.#endCell(piece.slice(start, at)) + (code === this.#separator ? ',' : piece.charAt(at));
      start = at + 1;
    }
    this.#held += piece.slice(start);
    const isOpen = this.#state === 'plain' && this.#held.length <= CELL_CHARACTERS_MAX;
    return isOpen ? converted : converted + this.#release();
  }

  end(): string {
    return this.#endCell('');
  }

  #advance(code: number): void {
    if (this.#state === 'quoted') {
      if (code === QUOTE) this.#state = 'closed';
    } else if (code === QUOTE && this.#state !== 'plain') this.#state = 'quoted';
    else if (this.#state === 'start') this.#state = 'plain';
  }

  #endCell(rest: string): string {
    const isPlain = this.#state === 'plain';
    this.#state = 'start';
    const text = this.#release() + rest;
    return isPlain && text.includes(',') ? quoted(text) : text;
  }

  #release(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }
}

/** Yields a CSV file with commas between its cells, whatever separates them. */
export async function* withCommas(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  let head: Uint8Array | undefined = new Uint8Array();
  let converter: SeparatorConverter | undefined;
  const begin = (bytes: Uint8Array): Uint8Array => {
    const text = decoder.decode(bytes, { stream: true });
    const found = findSeparator(text);
    if (found === undefined) return bytes;
    converter = new SeparatorConverter(found.character);
    return encoder.encode(converter.add(text.slice(found.skipped)));
  };
  for await (const chunk of chunks) {
    if (head !== undefined) {
      head = Buffer.concat([head, chunk]);
      if (!head.includes(LF) && head.length < HEADER_BYTES_MAX) continue;
      yield begin(head);
      head = undefined;
    } else if (converter === undefined) yield chunk;
    else yield encoder.encode(converter.add(decoder.decode(chunk, { stream: true })));
  }
  if (head !== undefined) yield begin(head);
  if (converter !== undefined) yield encoder.encode(converter.end());
}
