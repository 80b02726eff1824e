import { createReadStream } from 'node:fs';

/** The lines of a file without their ends; only `\n` ends one, for a CSV cell may hold others. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
