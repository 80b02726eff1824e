import type { ImportObject } from '@sluice/client';
import { yamlItems } from '@sluice/contract/yaml-items';
import { stringify } from 'yaml';

/** A whole export. */
export interface ExportedFile {
  readonly blob: Blob;
  readonly objects: number;
}

/** Returns the objects of an export as a YAML file. */
export async function exportYaml(
  objects: AsyncIterable<ImportObject>,
  onProgress: (objects: number) => void,
): Promise<ExportedFile> {
  const parts: string[] = [];
  let count = 0;
  const counted = async function* (): AsyncGenerator<ImportObject> {
    for await (const object of objects) {
      count += 1;
      onProgress(count);
      yield object;
    }
  };
  for await (const part of yamlItems(counted(), stringify)) parts.push(part);
  return { blob: new Blob(parts, { type: 'application/yaml' }), objects: count };
}
