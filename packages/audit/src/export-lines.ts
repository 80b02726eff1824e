/** Far above a record with the longest SQL and metadata. A file without line ends must not fill the memory. */
const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;

/** The bytes are not lines of text that Sluice writes. The message is one sentence. */
export class ExportTextError extends Error {}

/**
 * Yields lines without their line ends. Only `\n` ends a line, because a CSV cell may contain other line breaks.
 * @throws ExportTextError for a line that is too long, and for bytes that are not UTF-8: a replaced character would hide a change
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (...input: [] | [Uint8Array]): string => {
    try {
      return input[0] === undefined ? decoder.decode() : decoder.decode(input[0], { stream: true });
    } catch {
      throw new ExportTextError('It has bytes that are not UTF-8.');
    }
  };
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...begun] = decode(chunk).split('\n');
    // Only what is new is searched: a line of 64 MiB arrives in a thousand chunks.
    rest += end;
    for (const line of begun) {
      yield rest;
      rest = line;
    }
    if (rest.length > LINE_CHARACTERS_MAX) throw new ExportTextError('It has a line that is longer than any record.');
  }
  rest += decode();
  if (rest !== '') yield rest;
}
