import { formatCount } from '../output/quantity.ts';
import { FileFault } from './file-fault.ts';

/** Yields the lines of a file with their numbers, without line ends (LF or CR LF). */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  charactersMax: number,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let held = 0;
  let line = 1;
  const take = (last: string): string => {
    const text = pieces.length === 0 ? last : pieces.join('') + last;
    pieces = [];
    held = 0;
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  };
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      yield { line, text: take(part) };
      line += 1;
    }
    const rest = parts.at(-1) ?? '';
    pieces.push(rest);
    held += rest.length;
    if (held > charactersMax)
      throw new FileFault(line, undefined, `the line has more than ${formatCount(charactersMax)} characters`);
  }
  const rest = take(decoder.decode());
  if (rest !== '') yield { line, text: rest };
}
