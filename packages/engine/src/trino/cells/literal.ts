import { WORD_BYTES } from './word-bytes.ts';

/** Text that is written repeatedly, split into words once; what follows overwrites the bytes after its end in the last word. */
export interface Literal {
  /** Length of the text; the words may be up to three bytes longer. */
  readonly byteCount: number;
  readonly words: Int32Array;
}

export function literalOf(text: string | Buffer): Literal {
  const bytes = Buffer.from(text);
  const words = new Int32Array(Math.ceil(bytes.length / WORD_BYTES));
  const padded = Buffer.concat([bytes], words.length * WORD_BYTES);
  for (const index of words.keys()) words[index] = padded.readInt32LE(index * WORD_BYTES);
  return { byteCount: bytes.length, words };
}

/** Returns the text of a literal as bytes. */
export const bytesOf = ({ byteCount, words }: Literal): Buffer =>
  Buffer.from(words.buffer, words.byteOffset, byteCount);
