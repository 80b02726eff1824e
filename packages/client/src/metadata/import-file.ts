import type { ApiOperationTypes } from '../contract-types.ts';
import { ResponseError } from '../errors.ts';
import { poll } from '../http/poll.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';
import type { ImportObject, ImportResult } from './import-all.ts';
import { OBJECT_SHAPE, readObjects } from './read-objects.ts';

type Signal = Pick<CallOptions, 'signal'>;

/** State and counts of an import of a file. */
export type FileImport = ApiOperationTypes['readMetadataImport']['result'];
export type MetadataFileFormat = FileImport['format'];
/** Format of a file that is imported. Reports about YAML are in the other formats. */
export type ImportFileFormat = MetadataFileFormat | 'yaml';

/** Object of a file with its result. `line` is the line on which it begins. */
export type ReportedObject = ImportObject & Omit<ImportResult, 'id' | 'type'> & { readonly line: number };

export interface AwaitImportOptions extends Signal {
  /** Called with each state that is read. */
  readonly onProgress?: (progress: FileImport) => void;
  /** Longest time without a response of the host in milliseconds. The import does not depend on the connection. Default: 60,000. */
  readonly lostTimeoutMs?: number;
}

export interface ImportFileOptions extends AwaitImportOptions {
  readonly format: ImportFileFormat;
  /** Computes the changes and applies none; the report has them. */
  readonly dryRun?: boolean;
  /** Called when the host has stored the file. From then on the import runs, whatever happens to this process. */
  readonly onStarted?: (started: FileImport) => void;
}

const MEDIA_TYPES: Readonly<Record<ImportFileFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  yaml: 'application/yaml',
};

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/**
 * Waits for the end of an import, and returns its last state. FINISHED does not mean that every object succeeded.
 * @throws ConnectionError or ResponseError if the host cannot be reached for `lostTimeoutMs`
 */
export function awaitImport(
  api: Pick<ApiOperations, 'readMetadataImport'>,
  id: string,
  { signal, onProgress, lostTimeoutMs }: AwaitImportOptions = {},
): Promise<FileImport> {
  const read = async (): Promise<FileImport> => {
    const found = await api.readMetadataImport({ params: { id }, ...withSignal(signal) });
    if (found.import_id.toLowerCase() === id.toLowerCase()) return found;
    const message = `The server's answer is not valid: it is the state of another import than ${id}. Check the proxies on the way.`;
    throw new ResponseError('unexpected_response', message);
  };
  const isFinal = ({ state }: FileImport): boolean => state !== 'QUEUED' && state !== 'RUNNING';
  return poll(read, { signal, lostTimeoutMs, onResult: onProgress, isFinal });
}

/**
 * Sends a file of any number of objects, which the host applies in the background, and waits for the end of the import. A string or bytes may
 * be sent again after a failure that cannot have run; a stream is sent once.
 * @throws ResponseError with the position of each violation in `details` if the file is not valid; then nothing is applied
 */
export async function importFile(
  api: Pick<ApiOperations, 'startMetadataImport' | 'readMetadataImport'>,
  body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
  { format, dryRun = false, onStarted, ...options }: ImportFileOptions,
): Promise<FileImport> {
  const started = await api.startMetadataImport({
    body,
    headers: { 'content-type': MEDIA_TYPES[format] },
    query: { dry_run: dryRun },
    ...withSignal(options.signal),
  });
  onStarted?.(started);
  return await awaitImport(api, started.import_id, options);
}

const REPORTED_SHAPE = {
  ...OBJECT_SHAPE,
  line: 'number',
  success: 'boolean',
  'error_message|null': 'string',
  'changes?': [{ 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' }],
} as const;

/**
 * Yields the objects of an import with their results, in the order of the file. A dry run has `changes`. Leaving the loop ends the transfer.
 * @throws ResponseError `conflict` before the import has ended, IncompleteResultError if the report is cut
 */
export async function* readReport(
  api: Pick<ApiOperations, 'readMetadataReport'>,
  id: string,
  { failed = false, signal = new AbortController().signal }: Signal & { readonly failed?: boolean } = {},
): AsyncGenerator<ReportedObject, void, undefined> {
  const query = failed ? { failed } : {};
  const response = await api.readMetadataReport({ params: { id }, query, signal });
  yield* readObjects<ReportedObject>(response, {
    what: 'report',
    advice: 'Read the report again.',
    signal,
    shape: REPORTED_SHAPE,
  });
}
