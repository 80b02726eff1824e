import type { ApiOperationTypes } from '../contract-types.ts';
import { IncompleteResultError, type SluiceErrorFields } from '../errors.ts';
import type { ApiOperations, CallOptions, QueryValues } from '../operations/operations.ts';
import { malformed, readChunks } from '../queries/read-blocks.ts';
import type { ImportObject } from './import-all.ts';
import { JsonElements } from './json-elements.ts';

/** Filters of an export. */
export type ExportFilters = QueryValues<Omit<NonNullable<ApiOperationTypes['exportMetadata']['query']>, 'format'>>;

function parse(text: string, ids: SluiceErrorFields): ImportObject {
  try {
    return JSON.parse(text) as ImportObject;
  } catch (cause) {
    throw malformed('An object of the export is not JSON', { ...ids, cause });
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, ids: SluiceErrorFields): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw malformed('The export is not valid UTF-8', { ...ids, cause });
  }
}

/**
 * Yields the objects of an export as they arrive, in the form that `importAll` takes. Leaving the loop ends the export.
 * @throws IncompleteResultError if the export ends early; the objects before it are valid, and not all
 */
export async function* exportAll(
  api: Pick<ApiOperations, 'exportMetadata'>,
  filters: ExportFilters = {},
  { signal = new AbortController().signal }: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<ImportObject, void, undefined> {
  const response = await api.exportMetadata({ query: { ...filters, format: 'json' }, signal });
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const elements = new JsonElements();
  const body = response.body ?? new Blob([]).stream();
  for await (const chunk of readChunks(body, { idleTimeoutMs: undefined, signal, ids }))
    for (const text of elements.add(decode(decoder, chunk, ids))) yield parse(text, ids);
  if (elements.isWhole) return;
  const message = 'The export is incomplete: the file ended before its last brace. Run it again.';
  throw new IncompleteResultError('cut', message, ids);
}
