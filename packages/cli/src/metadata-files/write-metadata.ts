import type { ImportObject } from '@sluice/client';
import { writeObjects } from '@sluice/contract/metadata-files';
import type { MetadataFormat } from './open-metadata-file.ts';

const PART_CHARACTERS = 65_536;

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
export const writeMetadata = (format: MetadataFormat, objects: AsyncIterable<ImportObject>): AsyncGenerator<string> =>
  inParts(writeObjects(format, objects, () => import('yaml')));
