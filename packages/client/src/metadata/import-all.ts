import type { ApiOperationTypes } from '../contract-types.ts';
import { ResponseError } from '../errors.ts';
import { findViolation } from '../operations/check-answer.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';

type Import = ApiOperationTypes['importMetadata'];
export type ImportObject = Import['body']['metadata_objects'][number];
export type ImportResult = Import['result']['metadata_results'][number];

export interface ImportAllOptions extends Pick<CallOptions, 'signal'> {
  /** Computes the changes and applies none; each result has `changes`. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly failed: number }) => void;
}

export interface ImportReport {
  /** One result per object, in order. */
  readonly results: readonly ImportResult[];
  readonly failed: readonly ImportResult[];
}

/** Limits of one request (docs/api-guide.md): 50 objects; half of 16 MiB, because a string may have more bytes than characters. */
const OBJECTS_MAX = 50;
const CHARACTERS_MAX = 4 * 1024 * 1024;

async function* splitChunks(
  objects: AsyncIterable<ImportObject> | Iterable<ImportObject>,
): AsyncGenerator<ImportObject[]> {
  let chunk: ImportObject[] = [];
  let characters = 0;
  for await (const object of objects) {
    const length = JSON.stringify(object).length;
    if (chunk.length === OBJECTS_MAX || (chunk.length > 0 && characters + length > CHARACTERS_MAX)) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(object);
    characters += length;
  }
  if (chunk.length > 0) yield chunk;
}

/** `crypto.randomUUID` exists in secure contexts only. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A request of which all objects failed is 403 or 404, with the results. */
function readResults(error: unknown): readonly ImportResult[] {
  const body: unknown = error instanceof ResponseError ? error.body : undefined;
  if (body === undefined || findViolation('importMetadata', body) !== undefined) throw error;
  return (body as Import['result']).metadata_results;
}

/**
 * Imports any number of objects, in requests of at most 50, one after the other. Each has an `Idempotency-Key`, so a retry applies it once.
 * @throws ResponseError if a whole request is rejected; the objects before it are applied
 */
export async function importAll(
  api: Pick<ApiOperations, 'importMetadata'>,
  objects: AsyncIterable<ImportObject> | Iterable<ImportObject>,
  { dryRun = false, signal, onProgress }: ImportAllOptions = {},
): Promise<ImportReport> {
  const results: ImportResult[] = [];
  const failed: ImportResult[] = [];
  for await (const metadata_objects of splitChunks(objects)) {
    const body = { metadata_objects, dry_run: dryRun };
    const headers = { 'idempotency-key': randomKey() };
    const imported = await api
      .importMetadata({ body, headers, ...(signal === undefined ? {} : { signal }) })
      .then(({ metadata_results }) => metadata_results, readResults);
    results.push(...imported);
    failed.push(...imported.filter(({ success }) => !success));
    onProgress?.({ done: results.length, failed: failed.length });
  }
  return { results, failed };
}
