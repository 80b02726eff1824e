import { access } from 'node:fs/promises';
import type { Client, ReportedObject } from '@sluice/client';
import { saveFile } from '@sluice/client/node';
import { CSV_HEADER, csvRows, quoted, REPORT_MEMBERS } from '@sluice/contract/metadata-files';
import { CommandError } from '../errors.ts';
import { chooseMetadataFormat, type MetadataFormat } from './open-metadata-file.ts';
import type { StoppedImport } from './send-file.ts';
import { inParts, writeMetadata } from './write-metadata.ts';

const toCell = (value: unknown): string => {
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
  yield `${CSV_HEADER},${REPORT_MEMBERS.join(',')}\n`;
  for await (const object of objects) {
    checkColumns(object);
    yield csvRows(object, `,${REPORT_MEMBERS.map((name) => toCell(object[name])).join(',')}`);
  }
}

/**
 * Yields a report: the objects with their results, as a file that an import accepts.
 * @throws CommandError if CSV cannot express an object
 */
const writeReport = (format: MetadataFormat, objects: AsyncIterable<ReportedObject>): AsyncGenerator<string> =>
  format === 'csv' ? inParts(csv(objects)) : writeMetadata(format, objects);

/** A report that the user asked for. */
export interface ReportFile {
  readonly path: string;
  /** Whether it has only the objects that were not applied. */
  readonly isFailedOnly: boolean;
}

/**
 * Checks the name of a report before anything runs.
 * @throws UsageError for another extension, CommandError if the file exists
 */
export async function checkReportFile(path: string): Promise<void> {
  chooseMetadataFormat(path, undefined);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`${path} exists. Choose another name, or remove it.`);
}

/** Writes the results of an import to a file, which has its name only when it is whole. */
export async function saveReport(
  client: Client,
  id: string,
  { path, isFailedOnly, signal }: ReportFile & { readonly signal: AbortSignal },
): Promise<void> {
  const objects = client.metadata.readReport(id, { failed: isFailedOnly, signal });
  await saveFile(path, writeReport(chooseMetadataFormat(path, undefined), objects));
}

/**
 * Writes the report of an import that was stopped, in the time that its command has left. Returns the sentence that says where the results are,
 * also if they could not be written: what the import has done must be said in any case.
 */
export async function saveStoppedReport(
  client: Client,
  { found: { import_id: id }, signal }: StoppedImport,
  { path, isFailedOnly }: ReportFile,
): Promise<string> {
  try {
    await saveReport(client, id, { path, isFailedOnly, signal });
    return `The results are in ${path}.`;
  } catch (error) {
    const why = signal.aborted
      ? 'There was no time to write the report'
      : `The report was not written: ${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}`;
    const name = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
    return `${why}. \`sluice import --resume ${id} --report ${name}${isFailedOnly ? ' --failed-only' : ''}\` writes it.`;
  }
}
