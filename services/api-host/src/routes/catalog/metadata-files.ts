import { apiOperations, callerOf, type FileFormat, type MetadataImportStatus } from '@sluice/contract';
import { json, type Route, route, stream } from '@sluice/http';
import type { MetadataImport } from '@sluice/store/catalog';
import type { DatamapStore } from '@sluice/store/datamaps';
import type { UseCases } from '../../context/use-cases.ts';
import { readMetadataFile } from '../../metadata-files/read-metadata-file.ts';
import { FILE_MEDIA_TYPES, type WrittenObject, writeMetadataFile } from '../../metadata-files/write-metadata-file.ts';
import { authorizeImport } from '../../resources/catalog/metadata-import.ts';
import type { ReportedObject } from '../../use-cases/catalog/find-metadata-import.ts';

type MetadataFilesContext = Pick<
  UseCases,
  'exportMetadata' | 'startMetadataImport' | 'findMetadataImport' | 'cancelMetadataImport' | 'reportMetadataImport'
> & { readonly datamaps: Pick<DatamapStore, 'ownsAny'> };

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
export const metadataFileRoutes = (useCases: MetadataFilesContext): Route[] => [
  route(apiOperations.exportMetadata, async (request) => {
    const pages = await useCases.exportMetadata(callerOf(request), request.query);
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
      const started = await useCases.startMetadataImport(callerOf(request), file);
      return json(202, presentImport(started), { location: `/metadata/imports/${started.importId}` });
    },
    authorizeImport(useCases),
  ),
  route(apiOperations.readMetadataImport, async (request) =>
    json(200, presentImport(await useCases.findMetadataImport(callerOf(request), request.params.id))),
  ),
  route(apiOperations.cancelMetadataImport, async (request) => {
    const { found, wasOpen } = await useCases.cancelMetadataImport(callerOf(request), request.params.id);
    return json(wasOpen ? 202 : 200, presentImport(found));
  }),
  route(apiOperations.readMetadataReport, async (request) => {
    const { query, params } = request;
    const pages = await useCases.reportMetadataImport(callerOf(request), { ...query, importId: params.id });
    const present = ({ object, line, result: { id: _id, type: _type, ...result } }: ReportedObject): WrittenObject => ({
      object,
      result: { line, ...result },
    });
    return sendFile(mapPages(pages, present), { name: 'import-report', format: query.format, isReport: true });
  }),
];
