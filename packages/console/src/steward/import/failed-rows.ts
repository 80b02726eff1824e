import type { Client, FileImport } from '@sluice/client';
import type { FileSource } from './file-source.ts';
import { readFailedFile } from './import-report.ts';

/** An object that was not applied, among the rows to correct. */
export interface FailedRow {
  /** Its line in the text. */
  readonly line: number;
  /** Its line in the file that was imported. */
  readonly fileLine: number;
  /** Undefined: the import ended before it. */
  readonly reason: string | undefined;
}

/** File with the objects that were not applied, for the user to correct. */
export interface FailedRows {
  readonly file: File;
  /** Undefined: the text is a report of the host, with the lines and reasons in it. */
  readonly rows?: readonly FailedRow[];
}

/** Returns the format of a report about a file. */
export const reportFormat = ({ format }: FileImport, file: FileSource | undefined): 'csv' | 'json' =>
  (file?.format ?? format) === 'csv' ? 'csv' : 'json';

/**
 * Reads what was not applied. Of a CSV file, these are the user's own rows.
 * @param file - the imported file. Undefined: the page was loaded since.
 */
export async function readFailedRows(
  client: Client,
  status: FileImport,
  file: FileSource | undefined,
): Promise<FailedRows> {
  const { import_id: id } = status;
  if (file?.format !== 'csv') return { file: await readFailedFile(client, id, reportFormat(status, file)) };
  const reasons = new Map<number, string | undefined>();
  for await (const { line, error_message: reason } of client.metadata.readReport(id, { failed: true }))
    reasons.set(line, reason ?? undefined);
  const { pickRows } = await import('./pick-rows.ts');
  const { text, objects } = await pickRows(file.content, reasons);
  return {
    file: new File([text], 'not-applied.csv', { type: 'text/csv' }),
    rows: objects.map((object) => ({ ...object, reason: reasons.get(object.fileLine) })),
  };
}
