import { isUtf8 } from 'node:buffer';
import { FileFault } from '@sluice/contract/metadata-files';

const NEWLINE = 0x0a;

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

/** Decodes UTF-8. A byte order mark at the start is dropped. Throws a FileFault that names the line of the first invalid byte. */
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
  for await (const chunk of chunks) {
    yield decode(chunk, true);
    lines += countLines(chunk);
  }
  yield decode(new Uint8Array(), false);
}
