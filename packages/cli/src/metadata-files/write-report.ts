import type { ReportedObject } from '@sluice/client';
import { CommandError } from '../errors.ts';
import { CSV_COLUMNS, csvRows, quoted } from './csv-rows.ts';
import type { MetadataFormat } from './open-metadata-file.ts';
import { inParts, writeObjects } from './write-objects.ts';

/** Columns that a report adds; an import ignores them (docs/metadata-files.md). */
const RESULT_COLUMNS = ['line', 'success', 'fact_id', 'fields_processed', 'error_message', 'changes'] as const;

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

/** CSV has no columns for additions and removals, and cannot tell a list of one empty string from no list. */
function checkColumns(object: ReportedObject): void {
  const parts = [object, ...(object.fields ?? [])];
  const key = parts.flatMap((part) => Object.keys(part)).find((name) => /^(?:add|remove)_/.test(name));
  const what = key ?? ((object.domains ?? []).includes('') ? 'an empty domain' : undefined);
  if (what === undefined) return;
  throw new CommandError(
    `CSV cannot express ${what}, which the object on line ${object.line} has. Name a report that ends in .json or .yaml.`,
  );
}

async function* csv(objects: AsyncIterable<ReportedObject>): AsyncGenerator<string> {
  yield `${CSV_COLUMNS},${RESULT_COLUMNS.join(',')}\n`;
  for await (const object of objects) {
    checkColumns(object);
    yield csvRows(object, `,${RESULT_COLUMNS.map((name) => cellOf(object[name])).join(',')}`);
  }
}

/**
 * Yields a report: the objects with their results, as a file that an import accepts.
 * @throws CommandError if CSV cannot express an object
 */
export const writeReport = (format: MetadataFormat, objects: AsyncIterable<ReportedObject>): AsyncGenerator<string> =>
  format === 'csv' ? inParts(csv(objects)) : writeObjects(format, objects);
