import {
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadRequest,
  invalidRequest,
} from '@sluice/contract';
import { type KeepDefaults, requireKeepTime } from '../../queries/kept-results.ts';
import { fileFormat } from './file-format.ts';
import type { PreparedDownload } from './prepared-download.ts';
import { type FileDependencies, fileQuery } from './require-format.ts';
import type { StartQuery } from './start-query.ts';

interface DownloadQueryDependencies extends FileDependencies {
  readonly startQuery: StartQuery;
  readonly keepDefaults: Pick<KeepDefaults, 'keepTimeMaxMs'>;
}

interface DownloadQueryInput extends DownloadRequest {
  readonly format: DownloadFormatName;
}

/**
 * Prepares a statement whose result is one file. Throws `not_supported` if the engine cannot make it, and `invalid_request` for a result that
 * cannot be kept.
 */
export type DownloadQuery = (caller: Caller, input: DownloadQueryInput) => Promise<PreparedDownload>;

export function createDownloadQuery(dependencies: DownloadQueryDependencies): DownloadQuery {
  return async (caller, input) => {
    const { tenant } = caller.principal;
    const { format: formatName, sql, parameters, filename, catalog, schema } = input;
    const format: DownloadFormat = DOWNLOAD_FORMATS[formatName];
    const timeZone = input.time_zone ?? 'UTC';
    const dateZone = input.excel_dates === true ? timeZone : undefined;
    const statement = { name: filename, sql, parameters, about: sql };
    const query = {
      action: 'DOWNLOAD_QUERY' as const,
      sql,
      parameters,
      catalog,
      schema,
      format: fileFormat(formatName, input),
      ...fileQuery(dependencies, { tenant, format, statement, dateZone }),
      timeZone,
      keepMs: keepTimeOf(dependencies, caller, input),
      metadata: { format: formatName, filename, ...(input.keep === undefined ? {} : { keep: input.keep }) },
    };
    return {
      file: { mediaType: format.mediaType, filename, extension: format.extension },
      start: (transfer) => dependencies.startQuery(caller, { ...query, ...transfer }),
    };
  };
}

const NOT_WITH_ENGINE_FILES =
  'is not possible with a format that the engine writes. Run the statement with POST /query and keep, and download the file with GET /query/{id}/download';

/** Returns the time for which the result is kept, if that is requested. */
function keepTimeOf(
  { keepDefaults }: Pick<DownloadQueryDependencies, 'keepDefaults'>,
  { principal }: Caller,
  { keep, format }: DownloadQueryInput,
): number | undefined {
  if (keep === undefined) return undefined;
  if (DOWNLOAD_FORMATS[format].assembly === 'engine')
    throw invalidRequest({ path: 'body.keep', message: NOT_WITH_ENGINE_FILES });
  return requireKeepTime(keep, principal.tenant.settings, keepDefaults);
}
