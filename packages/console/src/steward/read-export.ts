import type { Client } from '@sluice/client';

export const EXPORT_FORMATS = ['csv', 'json', 'yaml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What has arrived of an export is not the whole. */
export class CutExport extends Error {}

/** How a whole JSON export ends. One that failed at the host ends earlier. */
const JSON_END = ']}';
const END_BYTES = 16;

type ExportQuery = NonNullable<Parameters<Client['metadata']['exportAll']>[0]>;

async function readWhole(response: Response, format: 'csv' | 'json'): Promise<Blob> {
  let file: Blob;
  try {
    file = await response.blob();
  } catch (cause) {
    throw new CutExport('', { cause });
  }
  const end = await file.slice(-END_BYTES).text();
  if (format === 'json' && !end.trimEnd().endsWith(JSON_END)) throw new CutExport();
  return file;
}

/**
 * Reads an export as a file.
 * @throws CutExport if it ended early
 */
export async function readExport(client: Client, format: ExportFormat, query: ExportQuery): Promise<Blob> {
  if (format !== 'yaml') return readWhole(await client.api.exportMetadata({ query: { ...query, format } }), format);
  const { exportYaml } = await import('./export-yaml.ts');
  try {
    return await exportYaml(client.metadata.exportAll(query));
  } catch (cause) {
    const isCut = cause instanceof Error && Reflect.get(cause, 'code') === 'incomplete_result';
    throw isCut ? new CutExport('', { cause }) : cause;
  }
}
