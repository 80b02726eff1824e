import type { ApiOperationTypes } from '../contract-types.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';
import type { ImportObject } from './import-all.ts';
import { OBJECT_SHAPE, readObjects } from './read-objects.ts';

/** Filters of an export. The format is not one: the client reads JSON. */
export type ExportFilters = Omit<NonNullable<ApiOperationTypes['exportMetadata']['query']>, 'format'>;

/**
 * Yields the objects of an export as they arrive. `importAll` accepts them. Leaving the loop ends the request.
 * @throws IncompleteResultError if the export ends early; the objects before it are valid, but not all of them
 */
export async function* exportAll(
  api: Pick<ApiOperations, 'exportMetadata'>,
  filters: ExportFilters = {},
  { signal = new AbortController().signal }: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<ImportObject, void, undefined> {
  const response = await api.exportMetadata({ query: { ...filters, format: 'json' }, signal });
  yield* readObjects<ImportObject>(response, {
    what: 'export',
    advice: 'Run the export again.',
    signal,
    shape: OBJECT_SHAPE,
  });
}
