import { asProblem, ProblemError } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { ResultEvent } from '../engine.ts';

/** How rows must be rendered for `jsonRows`. */
export const CATALOG_FORMAT: FormatSpec = { name: 'json', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };

export type CatalogRow = readonly (string | null)[];

/** The rows of a result of texts, a few hundred at once. Throws when the result is cut. */
export async function* jsonRows(events: AsyncIterable<ResultEvent>): AsyncGenerator<readonly CatalogRow[]> {
  let pending: Uint8Array[] = [];
  let isWhole = false;
  for await (const event of events) {
    if (event.kind === 'end') isWhole = true;
    if (event.kind !== 'rows') continue;
    pending.push(event.bytes.slice());
    if (event.rows === 0) continue; // a large row goes on in the next event
    yield parseRows(Buffer.concat(pending).toString('utf8'));
    pending = [];
  }
  if (!isWhole) throw new ProblemError('internal', 'The engine’s list of its catalog was cut.');
}

/** Rows with the separators between them, of which one may stand before the first and behind the last. */
function parseRows(text: string): readonly CatalogRow[] {
  try {
    const rows = JSON.parse(`[${text.replace(/^\s*,|,\s*$/g, '')}]`) as readonly Record<string, string | null>[];
    return rows.map((row) => Object.values(row));
  } catch (cause) {
    throw asProblem(cause);
  }
}
