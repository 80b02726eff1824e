import type { Client, FileImport, ReportedObject } from '@sluice/client';

/** Objects that a page shows of a report. */
const SHOWN_MAX = 200;

/** Objects of a report that need the attention of the steward, up to a number of each. */
export interface ImportReport {
  readonly failed: readonly ReportedObject[];
  /** Objects with a change. Only of a dry run. */
  readonly changed: readonly ReportedObject[];
}

async function takeFirst(objects: AsyncIterable<ReportedObject>, isShown: (object: ReportedObject) => boolean) {
  const shown: ReportedObject[] = [];
  for await (const object of objects) {
    if (isShown(object)) shown.push(object);
    // Leaving the loop ends the transfer.
    if (shown.length === SHOWN_MAX) break;
  }
  return shown;
}

/** Reads what a page shows of the report of an import that has ended. */
export async function readImportReport(client: Client, status: FileImport, signal: AbortSignal): Promise<ImportReport> {
  const { import_id: id, dry_run: isDryRun, failure_count: failures, changed_count: changes } = status;
  const missing = status.total_count - status.processed_count;
  const failed =
    failures + missing === 0
      ? []
      : await takeFirst(client.metadata.readReport(id, { failed: true, signal }), () => true);
  const changed =
    !isDryRun || changes === 0
      ? []
      : await takeFirst(client.metadata.readReport(id, { signal }), (object) => (object.changes ?? []).length > 0);
  return { failed, changed };
}

/** Reads the objects that were not applied, each with its reason, as a file that can be corrected and imported. */
export async function readFailedFile(client: Client, id: string, format: 'csv' | 'json'): Promise<File> {
  const response = await client.api.readMetadataReport({ params: { id }, query: { failed: true, format } });
  // A transfer that is cut rejects, so a file is whole.
  return new File([await response.blob()], `not-applied.${format}`, {
    type: format === 'csv' ? 'text/csv' : 'application/json',
  });
}
