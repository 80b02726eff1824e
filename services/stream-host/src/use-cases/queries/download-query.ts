import {
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadRequest,
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { PreparedDownload } from './prepared-download.ts';
import { type FileDependencies, fileQuery } from './require-format.ts';
import type { StartQuery } from './start-query.ts';

interface DownloadQueryDependencies extends FileDependencies {
  readonly startQuery: StartQuery;
}

interface DownloadQueryInput extends DownloadRequest {
  readonly format: DownloadFormatName;
}

/** Prepares a statement whose result is one file. Throws `not_supported` if the engine cannot make it. */
export type DownloadQuery = (caller: Caller, input: DownloadQueryInput) => Promise<PreparedDownload>;

export function createDownloadQuery(dependencies: DownloadQueryDependencies): DownloadQuery {
  return async (caller, input) => {
    const { tenant } = caller.principal;
    const { format: formatName, sql, parameters, filename } = input;
    const format: DownloadFormat = DOWNLOAD_FORMATS[formatName];
    const timeZone = input.time_zone ?? 'UTC';
    const dateZone = input.excel_dates === true ? timeZone : undefined;
    const statement = { name: filename, sql, parameters, about: sql };
    const query = {
      action: 'DOWNLOAD_QUERY' as const,
      sql,
      parameters,
      format: {
        name: formatName,
        bigNumbers: input.big_numbers ?? 'number',
        formulas: input.excel_safe === true ? 'prefix' : 'keep',
        progress: 'hidden',
        separator: input.separator,
        hasByteOrderMark: input.bom ?? input.excel_safe === true,
        dates: dateZone === undefined ? 'exact' : 'marked',
      } satisfies FormatSpec,
      ...fileQuery(dependencies, { tenant, format, statement, dateZone }),
      timeZone,
      metadata: { format: formatName, filename },
    };
    return {
      file: { mediaType: format.mediaType, filename, extension: format.extension },
      start: (transfer) => dependencies.startQuery(caller, { ...query, ...transfer }),
    };
  };
}
