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
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { DatamapCounters, PublishedDatamapStore } from '@sluice/store/datamaps';
import type { PreparedDownload } from '../queries/prepared-download.ts';
import { type FileDependencies, fileQuery } from '../queries/require-format.ts';
import type { StartQuery } from '../queries/start-query.ts';

interface DownloadDatamapDependencies extends FileDependencies {
  readonly publishedDatamaps: PublishedDatamapStore;
  readonly datamapCounters: Pick<DatamapCounters, 'countQuery'>;
  readonly startQuery: StartQuery;
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

/** Characters that the name of a datamap may contain, and the name of a file must not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression replaces control characters
const NOT_IN_FILENAME = /[\u0000-\u001f\u007f-\u009f/\\]/g;

export function createDownloadDatamap(dependencies: DownloadDatamapDependencies): DownloadDatamap {
  const { publishedDatamaps, datamapCounters, startQuery } = dependencies;
  return async (caller, input) => {
    const { tenant, permissions } = caller.principal;
    if (!permissions.has('datamap:read'))
      throw new ProblemError('access_denied', 'You need the permission datamap:read for this.');
    const datamap = await publishedDatamaps.find(tenant.id, input.id);
    if (datamap === undefined) throw new ProblemError('not_found', 'There is no published datamap with this id.');
    const { id, name, sql } = datamap;
    if (sql === null) throw new ProblemError('conflict', 'This datamap has no SQL, so it cannot be downloaded.');
    const { parameters, details } = readDeclaredStrings(datamap.parameters, input.parameters, 'query.p');
    requireValid(limitDetails(details));
    const format: DownloadFormat = DOWNLOAD_FORMATS[input.format];
    const spec: FormatSpec = { name: input.format, bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };
    const statement = { name, sql, parameters, about: id };
    const query = {
      action: 'DOWNLOAD_DATAMAP' as const,
      target: id,
      sql,
      parameters,
      format: spec,
      ...fileQuery(dependencies, { tenant, format, statement }),
      timeZone: 'UTC',
      metadata: { datamap_id: id, format: input.format },
    };
    return {
      file: {
        mediaType: format.mediaType,
        filename: name.replace(NOT_IN_FILENAME, '_'),
        extension: format.extension,
      },
      start: (transfer) => startQuery(caller, { ...query, ...transfer }),
      count: async () => datamapCounters.countQuery({ tenantId: tenant.id, factId: id }),
    };
  };
}
