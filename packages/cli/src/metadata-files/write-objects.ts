import type { ImportObject } from '@sluice/client';
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

/** Lines that the library writes in a block, which has no escapes, and reads as something else: blank ones with spaces, other line ends. */
const NOT_FOR_BLOCK = /^\s|(?:^|\n)[ \t]+(?:\n|$)|\n\n$|[\r\u0085\u2028\u2029\ufeff]/;

/** Returns whether every text of a value may be a block, in which people read and edit it best. */
function hasBlocks(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') || !NOT_FOR_BLOCK.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasBlocks);
}

async function* yaml(objects: Objects): AsyncGenerator<string> {
  const { stringify } = await import('yaml');
  // Width 0: no text is folded. Objects that occur twice are written twice.
  const options = { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false } as const;
  let isEmpty = true;
  for await (const object of objects) {
    // A list of one, so that each object is an item of the file's list.
    const item = stringify([object], { ...options, blockQuote: hasBlocks(object) });
    yield isEmpty ? `metadata_objects:\n${item}` : item;
    isEmpty = false;
  }
  if (isEmpty) yield 'metadata_objects: []\n';
}

const WRITERS: Readonly<Record<MetadataFormat, (objects: Objects) => AsyncGenerator<string>>> = {
  csv,
  yaml,
  json,
  ndjson,
};

/** Joins texts to parts of about 64 KiB. */
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
