import { asProblem, ProblemError } from '@sluice/contract/problems';
import type { FormatSpec } from '@sluice/encoders';
import type { ResultEvent } from '../engine.ts';

/** Format of rows that `jsonRows` reads. */
export const CATALOG_FORMAT: FormatSpec = { name: 'json', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };

export type CatalogRow = readonly (string | null)[];

/** Reads the rows of a result as strings, a few hundred at once. Throws if the result is cut. */
export async function* jsonRows(events: AsyncIterable<ResultEvent>): AsyncGenerator<readonly CatalogRow[]> {
  let pending: Uint8Array[] = [];
  let isWhole = false;
  for await (const event of events) {
    if (event.kind === 'end') isWhole = true;
    if (event.kind !== 'rows') continue;
    pending.push(event.bytes.slice());
    if (event.rows === 0) continue; // a large row continues in the next event
    yield parseRows(Buffer.concat(pending).toString('utf8'));
    pending = [];
  }
  if (!isWhole) throw new ProblemError('internal', 'The engine’s list of its catalog was cut.');
}

/** Parses rows with separators between them; one may also come before the first row and after the last. */
function parseRows(text: string): readonly CatalogRow[] {
  try {
    const rows = JSON.parse(`[${text.replace(/^\s*,|,\s*$/g, '')}]`) as readonly Record<string, string | null>[];
    return rows.map((row) => Object.values(row));
  } catch (cause) {
    throw asProblem(cause);
  }
}
