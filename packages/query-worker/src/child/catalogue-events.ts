import type { ResultEvent } from '@sluice/engine';
import { makeCatalogueFor } from '@sluice/engine/make-catalogue';
import type { QueryJob } from '../protocol/query-job.ts';

interface CatalogueEventsOptions {
  readonly tempFolder: string;
  readonly signal: AbortSignal;
}

/** Makes the database of a mirrored catalog. The event `end` says that it is complete. Throws errors of DuckDB, and the reason of the signal. */
export async function* catalogueEvents(
  { catalogue, engine }: QueryJob,
  { tempFolder, signal }: CatalogueEventsOptions,
): AsyncGenerator<ResultEvent, void> {
  if (catalogue === undefined) throw new Error('A job without files makes no catalogue.');
  await makeCatalogueFor(engine, catalogue, { tempFolder, signal });
  yield { kind: 'columns', columns: [] };
  yield { kind: 'end', limited: false };
}
