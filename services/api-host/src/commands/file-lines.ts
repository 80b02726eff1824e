import { createReadStream } from 'node:fs';

/** Yields the lines of a file. Only `\n` ends a line, because a CSV cell may contain other line breaks. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
