import {
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type LinkParameters,
  limitDetails,
  ProblemError,
  readDeclaredStrings,
  requireValid,
  resultLimits,
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { DatamapCounters, PublishedDatamapStore } from '@sluice/store/datamaps';
import type { EngineResolver } from '@sluice/tenant-engines';
import { bundleWorkbook } from '../marketplace/bundle-workbook.ts';
import type { PreparedDownload } from '../queries/prepared-download.ts';
import { requireFormat } from '../queries/require-format.ts';
import type { StartQuery } from '../queries/start-query.ts';

interface DownloadDatamapDependencies {
  readonly publishedDatamaps: PublishedDatamapStore;
  readonly datamapCounters: Pick<DatamapCounters, 'countQuery'>;
  readonly startQuery: StartQuery;
  readonly resolveEngine: EngineResolver;
  /** Limit of the disk space for strings that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

interface DownloadDatamapInput {
  readonly id: string;
  readonly format: DownloadFormatName;
  /** Values of the parameters as strings, by name. */
  readonly parameters: LinkParameters;
}

/**
 * Prepares a run of a published datamap with the caller's own rights in the engine. Throws `access_denied` without `datamap:read`,
 * `not_found` for a datamap that is unknown or not published, `conflict` for one without SQL, `invalid_request` for parameters that it
 * does not declare or whose values do not fit, and `not_supported` if the engine cannot make the file.
 */
export type DownloadDatamap = (caller: Caller, input: DownloadDatamapInput) => Promise<PreparedDownload>;

/** Characters that a file name must not contain, unlike the name of a datamap. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression replaces control characters
const NOT_IN_FILENAME = /[\u0000-\u001f\u007f-\u009f/\\]/g;

export function createDownloadDatamap(dependencies: DownloadDatamapDependencies): DownloadDatamap {
  const { publishedDatamaps, datamapCounters, startQuery, resolveEngine, overflowBytesMax } = dependencies;
  return async (caller, { id, format: name, parameters: strings }) => {
    const { tenant, permissions } = caller.principal;
    if (!permissions.has('datamap:read'))
      throw new ProblemError('access_denied', 'You need the permission datamap:read for this.');
    const datamap = await publishedDatamaps.find(tenant.id, id);
    if (datamap === undefined) throw new ProblemError('not_found', 'There is no published datamap with this id.');
    const { sql } = datamap;
    if (sql === null) throw new ProblemError('conflict', 'This datamap has no SQL, so it cannot be downloaded.');
    const { parameters, details } = readDeclaredStrings(datamap.parameters, strings, 'query.p');
    requireValid(limitDetails(details));
    const format: DownloadFormat = DOWNLOAD_FORMATS[name];
    requireFormat(resolveEngine(tenant), format);
    const spec: FormatSpec = { name, bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };
    const statement = { name: datamap.name, sql, parameters, about: datamap.id };
    const { mediaType, extension, assembly } = format;
    return {
      file: { mediaType, filename: datamap.name.replace(NOT_IN_FILENAME, '_'), extension },
      start: (transfer) =>
        startQuery(caller, {
          ...transfer,
          action: 'DOWNLOAD_DATAMAP',
          target: datamap.id,
          sql,
          parameters,
          format: spec,
          ...(assembly === 'workbook' ? { bundle: bundleWorkbook([statement], { overflowBytesMax }) } : {}),
          timeZone: 'UTC',
          rowsMax: assembly === 'engine' ? resultLimits(tenant.settings).rowsMax : undefined,
          metadata: { datamap_id: datamap.id, format: name },
        }),
      count: async () => datamapCounters.countQuery({ tenantId: tenant.id, factId: datamap.id }),
    };
  };
}
