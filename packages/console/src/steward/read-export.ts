import type { Client } from '@sluice/client';
import { writeObjects } from '@sluice/contract/metadata-files';

const MEDIA_TYPES = { csv: 'text/csv', json: 'application/json', yaml: 'application/yaml' } as const;
export type ExportFormat = keyof typeof MEDIA_TYPES;
export const EXPORT_FORMATS = Object.keys(MEDIA_TYPES) as ExportFormat[];

/** An export ended early, so the bytes received are not all of it. */
export class CutExport extends Error {}

/** A whole export. */
interface ExportedFile {
  readonly blob: Blob;
  readonly objects: number;
}

interface ExportOptions {
  readonly format: ExportFormat;
  readonly query: NonNullable<Parameters<Client['metadata']['exportAll']>[0]>;
  /** Called with the number of objects from time to time. */
  readonly onProgress: (objects: number) => void;
}

const SHOWN_EVERY = 100;

/**
 * Reads an export as a file. It is read as JSON in any format, because CSV does not show whether it is whole.
 * @throws CutExport if it ended early
 */
export async function readExport(client: Client, { format, query, onProgress }: ExportOptions): Promise<ExportedFile> {
  const parts: string[] = [];
  let objects = 0;
  const counted = async function* () {
    for await (const object of client.metadata.exportAll(query)) {
      objects += 1;
      if (objects % SHOWN_EVERY === 0) onProgress(objects);
      yield object;
    }
  };
  try {
    for await (const part of writeObjects(format, counted(), () => import('yaml'))) parts.push(part);
  } catch (cause) {
    const isCut = cause instanceof Error && Reflect.get(cause, 'code') === 'incomplete_result';
    throw isCut ? new CutExport('', { cause }) : cause;
  }
  return { blob: new Blob(parts, { type: MEDIA_TYPES[format] }), objects };
}
