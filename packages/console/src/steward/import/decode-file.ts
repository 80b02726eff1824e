import { FileFault } from '@sluice/contract/metadata-files';

const CHUNK_BYTES = 256 * 1024;
const LF = 0x0a;

/** Beginnings of files that are often taken for text. */
const OTHER_FILES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'is a workbook or ZIP file, not a text file; save it as CSV in UTF-8'],
  [[0xff, 0xfe], 'is UTF-16; save it in UTF-8'],
  [[0xfe, 0xff], 'is UTF-16; save it in UTF-8'],
  [[0x1f, 0x8b], 'is compressed; decompress it first'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook or document of old Office, not a text file; save it as CSV in UTF-8'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF, not a text file; send CSV, JSON, NDJSON or YAML'],
  [[0x89, 0x50, 0x4e, 0x47], 'is a picture, not a text file; send CSV, JSON, NDJSON or YAML'],
  [[0xff, 0xd8, 0xff], 'is a picture, not a text file; send CSV, JSON, NDJSON or YAML'],
];

/** Yields the text of a file in parts, without a byte order mark. Throws a FileFault with the line that is not UTF-8. */
export async function* decodeFile(content: Blob): AsyncGenerator<string> {
  const start = new Uint8Array(await content.slice(0, 4).arrayBuffer());
  const other = OTHER_FILES.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (other !== undefined) throw new FileFault('file', other[1]);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let at = 0; at < content.size; at += CHUNK_BYTES) {
    const bytes = new Uint8Array(await content.slice(at, at + CHUNK_BYTES).arrayBuffer());
    const isLast = at + CHUNK_BYTES >= content.size;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: !isLast });
    } catch {
      throw new FileFault(`line ${line + linesBeforeFault(bytes)}`, 'is not UTF-8; save the file in UTF-8');
    }
    if (text.includes('\0')) throw new FileFault(`line ${lineOfNul(text, line)}`, 'has a NUL character; remove it');
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, end + 1)) line += 1;
    yield text;
  }
}

const lineOfNul = (text: string, line: number): number =>
  line + text.slice(0, text.indexOf('\0')).split('\n').length - 1;

/** Returns how many lines of the part precede its first line that is not UTF-8. The part may start within a character. */
function linesBeforeFault(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  for (let line = 0; ; line += 1) {
    const end = bytes.indexOf(LF, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
