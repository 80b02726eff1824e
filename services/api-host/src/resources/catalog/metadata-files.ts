import {
  apiOperations,
  type Caller,
  callerOf,
  type FileFormat,
  type MetadataImportStatus,
  type MetadataObject,
  type MetadataReportQuery,
  type MetadataResult,
  ProblemError,
} from '@sluice/contract';
import { json, type Route, route, stream } from '@sluice/http';
import type { MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { DatamapStore } from '@sluice/store/datamaps';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { readMetadataFile } from '../../metadata-files/read-metadata-file.ts';
import { FILE_MEDIA_TYPES, type WrittenObject, writeMetadataFile } from '../../metadata-files/write-metadata-file.ts';
import type { ExportMetadata } from '../../use-cases/catalog/export-metadata.ts';
import { authorizeImport } from './metadata-import.ts';
import { type NumberedObject, type ReceiveImportContext, receiveImport } from './receive-import.ts';

/** Object of the file with its result. */
interface ReportedObject {
  readonly object: MetadataObject;
  readonly line: number;
  readonly result: MetadataResult;
}

/** Finds an import of the caller, or any of the tenant with `metadata:write`. Throws `not_found`. */
export async function findImport(
  tx: TenantTransaction,
  { principal }: Caller,
  importId: string,
): Promise<MetadataImport> {
  const found = await tx.imports.find(importId);
  const isVisible = found?.sender.id === principal.id || principal.permissions.has('metadata:write');
  if (found !== undefined && isVisible) return found;
  throw new ProblemError('not_found', 'There is no import with this id. Reports are kept for 7 days.');
}

/** Cancels an import unless it has ended. Throws `not_found`. */
export async function cancelImport(
  tx: TenantTransaction,
  caller: Caller,
  importId: string,
): Promise<{ readonly found: MetadataImport; readonly wasOpen: boolean }> {
  await findImport(tx, caller, importId);
  const cancelled = await tx.imports.cancel(importId);
  if (cancelled === undefined) {
    tx.skipRecord();
    return { found: await findImport(tx, caller, importId), wasOpen: false };
  }
  const metadata = { processed_count: cancelled.processed, total_count: cancelled.objects };
  await tx.record('CANCEL_METADATA_IMPORT', importId, metadata);
  return { found: cancelled, wasOpen: true };
}

const notApplied = ({ state }: MetadataImport): string =>
  state === 'CANCELLED'
    ? 'Not applied: the import was cancelled.'
    : 'Not applied: the import failed before this object.';

/** Yields the objects of an import in the order of the file, in pages that may be empty. One that was not reached has failed. */
async function* reportPages(
  imports: Pick<MetadataImportStore, 'batch'>,
  found: MetadataImport,
  onlyFailed: boolean,
): AsyncGenerator<readonly ReportedObject[]> {
  for (let number = 0; number < found.batches; number += 1) {
    const batch = await imports.batch(found, number);
    if (batch === undefined) throw new Error('a batch of the import is missing');
    const objects = JSON.parse(batch.objects) as NumberedObject[];
    const results = batch.results === null ? [] : (JSON.parse(batch.results) as MetadataResult[]);
    const reported = objects.map(({ line, object }, index): ReportedObject => {
      const missing = { success: false, fields_processed: false, error_message: notApplied(found) };
      return {
        line,
        object,
        result: results[index] ?? { id: object.id, type: object.type, fact_id: '', ...missing },
      };
    });
    yield onlyFailed ? reported.filter(({ result }) => !result.success) : reported;
  }
}

interface ReportContext {
  readonly database: Pick<ResourceDatabase, 'read'>;
  readonly metadataImports: Pick<MetadataImportStore, 'batch'>;
}

interface ReportInput extends MetadataReportQuery {
  readonly importId: string;
}

/**
 * Returns the pages of the report of an import that has ended. Throws `not_found`, `conflict` before the end, and `invalid_request` if the
 * format cannot express the objects.
 */
export async function reportImport(
  { database, metadataImports }: ReportContext,
  caller: Caller,
  { importId, format = 'json', failed = false }: ReportInput,
): Promise<AsyncIterable<readonly ReportedObject[]>> {
  const ended = await database.read(caller, async (tx) => {
    const found = await findImport(tx, caller, importId);
    if (found.ended === null) {
      throw new ProblemError('conflict', 'The import has not ended. Read its state until it has, then get the report.');
    }
    if (format === 'csv' && !found.isTabular) {
      throw new ProblemError(
        'invalid_request',
        'CSV has no columns for the additions, removals or owners of this file. Get the report with format=json.',
      );
    }
    await tx.record('READ_METADATA_IMPORT', importId, { format, failed });
    return found;
  });
  return reportPages(metadataImports, ended, failed);
}

interface MetadataFilesContext extends ReceiveImportContext {
  readonly database: ResourceDatabase;
  readonly metadataImports: MetadataImportStore;
  readonly datamaps: Pick<DatamapStore, 'ownsAny'>;
  readonly exportMetadata: ExportMetadata;
}

const presentImport = (found: MetadataImport): MetadataImportStatus => ({
  import_id: found.importId,
  state: found.state,
  format: found.format,
  dry_run: found.isDryRun,
  requested_by: found.sender.name,
  requested_ts: found.requested.getTime(),
  started_ts: found.started?.getTime() ?? null,
  ended_ts: found.ended?.getTime() ?? null,
  attempts: found.attempt,
  progress: found.objects === 0 ? 0 : Number((found.processed / found.objects).toFixed(4)),
  total_count: found.objects,
  processed_count: found.processed,
  success_count: found.succeeded,
  failure_count: found.processed - found.succeeded,
  changed_count: found.changed,
  error: found.error,
});

async function* mapPages<T>(
  pages: AsyncIterable<readonly T[]>,
  present: (each: T) => WrittenObject,
): AsyncGenerator<readonly WrittenObject[]> {
  for await (const page of pages) yield page.map(present);
}

const sendFile = (
  pages: AsyncIterable<readonly WrittenObject[]>,
  { name, format = 'json', isReport }: { name: string; format?: FileFormat | undefined; isReport: boolean },
) =>
  stream({
    status: 200,
    mediaType: FILE_MEDIA_TYPES[format],
    headers: { 'content-disposition': `attachment; filename=${name}.${format}` },
    body: writeMetadataFile(pages, { format, isReport }),
  });

/** GET /metadata/export, /metadata/imports and below */
export const metadataFileRoutes = (context: MetadataFilesContext): Route[] => [
  route(apiOperations.exportMetadata, async (request) => {
    const pages = await context.exportMetadata(callerOf(request), request.query);
    return sendFile(
      mapPages(pages, (object) => ({ object })),
      { name: 'metadata', format: request.query.format, isReport: false },
    );
  }),
  route(
    apiOperations.startMetadataImport,
    async (request) => {
      const { format, objects, isDryRun } = readMetadataFile(request.upload);
      const file = { format, objects, isDryRun: () => request.query.dry_run === true || isDryRun() };
      const started = await receiveImport(context, callerOf(request), file);
      return json(202, presentImport(started), { location: `/metadata/imports/${started.importId}` });
    },
    authorizeImport(context),
  ),
  route(apiOperations.readMetadataImport, async (request) => {
    const caller = callerOf(request);
    const found = await context.database.read(caller, (tx) => findImport(tx, caller, request.params.id));
    return json(200, presentImport(found));
  }),
  route(apiOperations.cancelMetadataImport, async (request) => {
    const caller = callerOf(request);
    const cancel = (tx: TenantTransaction) => cancelImport(tx, caller, request.params.id);
    const { found, wasOpen } = await context.database.change(caller, cancel);
    return json(wasOpen ? 202 : 200, presentImport(found));
  }),
  route(apiOperations.readMetadataReport, async (request) => {
    const { query, params } = request;
    const pages = await reportImport(context, callerOf(request), { ...query, importId: params.id });
    const present = ({ object, line, result: { id: _id, type: _type, ...result } }: ReportedObject): WrittenObject => ({
      object,
      result: { line, ...result },
    });
    return sendFile(mapPages(pages, present), { name: 'import-report', format: query.format, isReport: true });
  }),
];
