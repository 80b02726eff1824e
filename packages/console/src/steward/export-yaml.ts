import type { ImportObject } from '@sluice/client';
import { yamlItems } from '@sluice/contract/yaml-items';
import { stringify } from 'yaml';

/** Returns the objects of an export as a YAML file. */
export async function exportYaml(objects: AsyncIterable<ImportObject>): Promise<Blob> {
  const parts: string[] = [];
  for await (const part of yamlItems(objects, stringify)) parts.push(part);
  return new Blob(parts, { type: 'application/yaml' });
}
