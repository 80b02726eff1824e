import type { Client } from '@sluice/client';
import type { ExportedFile } from './export-yaml.ts';
import { forbidEval } from './import/forbid-eval.ts';

export const EXPORT_FORMATS = ['csv', 'json', 'yaml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An export ended early, so the bytes received are not all of it. */
export class CutExport extends Error {}

type ExportQuery = NonNullable<Parameters<Client['metadata']['exportAll']>[0]>;

interface ExportOptions {
  readonly format: ExportFormat;
  readonly query: ExportQuery;
  /** Called with the number of objects so far. */
  readonly onProgress: (objects: number) => void;
}

/** Keeps the bytes of a response, and yields their text. */
async function* keepBytes(response: Response, kept: BlobPart[]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    kept.push(read.value);
    yield decoder.decode(read.value, { stream: true });
  }
}

async function readWhole(
  response: Response,
  { format, onProgress }: { readonly format: 'csv' | 'json'; readonly onProgress: ExportOptions['onProgress'] },
): Promise<ExportedFile> {
  forbidEval();
  const { countObjects } = await import('./import/count-objects.ts');
  const kept: BlobPart[] = [];
  try {
    const objects = await countObjects(keepBytes(response, kept), { format, onProgress });
    return { blob: new Blob(kept, { type: response.headers.get('content-type') ?? '' }), objects };
  } catch (cause) {
    throw new CutExport('', { cause });
  }
}

/**
 * Reads an export as a file.
 * @throws CutExport if it ended early
 */
export async function readExport(client: Client, options: ExportOptions): Promise<ExportedFile> {
  const { format, query, onProgress } = options;
  if (format !== 'yaml')
    return readWhole(await client.api.exportMetadata({ query: { ...query, format } }), { format, onProgress });
  const { exportYaml } = await import('./export-yaml.ts');
  try {
    return await exportYaml(client.metadata.exportAll(query), onProgress);
  } catch (cause) {
    const isCut = cause instanceof Error && Reflect.get(cause, 'code') === 'incomplete_result';
    throw isCut ? new CutExport('', { cause }) : cause;
  }
}
