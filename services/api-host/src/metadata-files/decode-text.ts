import { isUtf8 } from 'node:buffer';
import { FileFault } from '@sluice/contract/metadata-files';

const NEWLINE = 0x0a;

/** Beginnings of files that are often taken for text. */
const OTHER_FILES: readonly (readonly [bytes: string, what: string])[] = [
  ['504b0304', 'is a workbook or ZIP file, not a text file; save it as CSV in UTF-8'],
  ['d0cf11e0', 'is a workbook or document of old Office, not a text file; save it as CSV in UTF-8'],
  ['fffe', 'is UTF-16; save it in UTF-8'],
  ['feff', 'is UTF-16; save it in UTF-8'],
  ['1f8b', 'is compressed; decompress it first'],
  ['25504446', 'is a PDF, not a text file; send CSV, JSON, NDJSON or YAML'],
  ['89504e47', 'is a picture, not a text file; send CSV, JSON, NDJSON or YAML'],
  ['ffd8ff', 'is a picture, not a text file; send CSV, JSON, NDJSON or YAML'],
];
const START_BYTES = 4;

/** Rejects a file that is not text by its first bytes, which arrive in one chunk or in several. */
async function* checkStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  const checked = (bytes: Uint8Array): Uint8Array => {
    const text = Buffer.from(bytes.subarray(0, START_BYTES)).toString('hex');
    const other = OTHER_FILES.find(([each]) => text.startsWith(each));
    if (other !== undefined) throw new FileFault('file', other[1]);
    return bytes;
  };
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < START_BYTES) continue;
    yield checked(start);
    start = undefined;
  }
  if (start !== undefined) yield checked(start);
}

const countLines = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
};

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns how many lines of the chunk precede its first line that is not UTF-8. The chunk may start within a character. */
const linesBeforeFault = (chunk: Uint8Array): number => {
  let start = 0;
  while (start < 3 && isContinuation(chunk[start])) start += 1;
  for (let line = 0; ; line += 1) {
    const end = chunk.indexOf(NEWLINE, start);
    if (end === -1 || !isUtf8(chunk.subarray(start, end))) return line;
    start = end + 1;
  }
};

/**
 * Decodes UTF-8. A byte order mark at the start is dropped. Throws a FileFault that says what other kind of file it is, or names the line of
 * the first invalid byte.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  const decode = (chunk: Uint8Array, stream: boolean): string => {
    try {
      return decoder.decode(chunk, { stream });
    } catch {
      throw new FileFault(`line ${lines + linesBeforeFault(chunk)}`, 'is not UTF-8; save the file in UTF-8');
    }
  };
  for await (const chunk of checkStart(chunks)) {
    yield decode(chunk, true);
    lines += countLines(chunk);
  }
  yield decode(new Uint8Array(), false);
}
