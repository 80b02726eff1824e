import type { ImportObject } from '@sluice/client';
import { yamlItems } from '@sluice/contract/yaml-items';
import { CSV_COLUMNS, csvRows } from './csv-rows.ts';
import type { MetadataFormat } from './open-metadata-file.ts';

type Objects = AsyncIterable<ImportObject>;

const PART_CHARACTERS = 65_536;

async function* csv(objects: Objects): AsyncGenerator<string> {
  yield `${CSV_COLUMNS}\n`;
  for await (const object of objects) yield csvRows(object);
}

async function* json(objects: Objects): AsyncGenerator<string> {
  let before = '{"metadata_objects":[\n';
  for await (const object of objects) {
    yield before + JSON.stringify(object);
    before = ',\n';
  }
  yield before === ',\n' ? '\n]}\n' : `${before}]}\n`;
}

async function* ndjson(objects: Objects): AsyncGenerator<string> {
  for await (const object of objects) yield `${JSON.stringify(object)}\n`;
}

async function* yaml(objects: Objects): AsyncGenerator<string> {
  const { stringify } = await import('yaml');
  yield* yamlItems(objects, stringify);
}

const WRITERS: Readonly<Record<MetadataFormat, (objects: Objects) => AsyncGenerator<string>>> = {
  csv,
  yaml,
  json,
  ndjson,
};

/** Joins strings to parts of about 64 KiB. */
export async function* inParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const text of texts) {
    part += text;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

/** Yields a file with these objects, in parts. */
export const writeObjects = (format: MetadataFormat, objects: Objects): AsyncGenerator<string> =>
  inParts(WRITERS[format](objects));
