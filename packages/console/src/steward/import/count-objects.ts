import { csvObjects } from './csv-file.ts';
import { jsonObjects } from './json-files.ts';

interface CountOptions {
  readonly format: 'csv' | 'json';
  /** Called with the number of objects so far. */
  readonly onProgress: (objects: number) => void;
}

/** Counts the objects of a file as its text arrives. Throws if the text ends early, as far as its format shows that. */
export async function countObjects(
  chunks: AsyncIterable<string>,
  { format, onProgress }: CountOptions,
): Promise<number> {
  let objects = 0;
  for await (const items of format === 'csv' ? csvObjects(chunks).items : jsonObjects(chunks)) {
    objects += items.filter((item) => 'value' in item).length;
    onProgress(objects);
  }
  return objects;
}
