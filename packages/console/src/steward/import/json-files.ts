import { FileFault, JsonSplitter, type RawObject, readLines } from '@sluice/contract/metadata-files';
import type { FileItems } from './file-items.ts';

function objectOf(line: number, text: string): RawObject | FileFault {
  try {
    return { line, value: JSON.parse(text), placeOf: (keys) => ({ line, keys }) };
  } catch {
    return new FileFault(`line ${line}`, 'is not valid JSON, or is nested too deeply');
  }
}

/** Reads the objects of a file with one JSON object on each line. */
export async function* ndjsonObjects(chunks: AsyncIterable<string>): FileItems {
  for await (const lines of readLines(chunks)) yield lines.map(({ line, text }) => objectOf(line, text));
}

/** Reads the objects of a JSON document with `metadata_objects`. */
export async function* jsonObjects(chunks: AsyncIterable<string>): FileItems {
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) {
    const items: (RawObject | FileFault)[] = [];
    for (const { line, member, text } of splitter.push(chunk)) {
      if (member === undefined) items.push(objectOf(line, text));
      else if (member !== 'dry_run') throw new FileFault(`line ${line}, ${member}`, 'is not a known key');
      // The page asks for a dry run itself, and an import that is one by its file would apply nothing.
      else throw new FileFault(`line ${line}, dry_run`, 'is not accepted here; remove it');
    }
    yield items;
  }
  splitter.finish();
}
