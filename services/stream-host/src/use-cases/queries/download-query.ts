import {
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadRequest,
  resultLimits,
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { EngineResolver } from '@sluice/tenant-engines';
import { bundleWorkbook } from '../marketplace/bundle-workbook.ts';
import type { PreparedDownload } from './prepared-download.ts';
import { requireFormat } from './require-format.ts';
import type { StartQuery } from './start-query.ts';

interface DownloadQueryDependencies {
  readonly startQuery: StartQuery;
  readonly resolveEngine: EngineResolver;
  /** Limit of the disk space for strings that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

interface DownloadQueryInput extends DownloadRequest {
  readonly format: DownloadFormatName;
}

/** Prepares a statement whose result is one file. Throws `not_supported` if the engine cannot make it. */
export type DownloadQuery = (caller: Caller, input: DownloadQueryInput) => Promise<PreparedDownload>;

export function createDownloadQuery(dependencies: DownloadQueryDependencies): DownloadQuery {
  const { startQuery, resolveEngine, overflowBytesMax } = dependencies;
  return async (caller, input) => {
    const { tenant } = caller.principal;
    const { format: name, sql, parameters, filename } = input;
    const format: DownloadFormat = DOWNLOAD_FORMATS[name];
    requireFormat(resolveEngine(tenant), format);
    const { mediaType, extension } = format;
    const timeZone = input.time_zone ?? 'UTC';
    const dateZone = input.excel_dates === true ? timeZone : undefined;
    const query = {
      action: 'DOWNLOAD_QUERY' as const,
      sql,
      parameters,
      format: {
        name,
        bigNumbers: input.big_numbers ?? 'number',
        formulas: input.excel_safe === true ? 'prefix' : 'keep',
        progress: 'hidden',
        separator: input.separator,
        hasByteOrderMark: input.bom ?? input.excel_safe === true,
        dates: dateZone === undefined ? 'exact' : 'marked',
      } satisfies FormatSpec,
      ...(format.assembly === 'workbook'
        ? { bundle: bundleWorkbook([{ name: filename, sql, parameters, about: sql }], { overflowBytesMax, dateZone }) }
        : {}),
      timeZone,
      // An engine that writes the file reports its rows at the end, so it is stopped after the first row beyond the tenant's limit.
      rowsMax: format.assembly === 'engine' ? resultLimits(tenant.settings).rowsMax : undefined,
      metadata: { format: name, filename },
    };
    return {
      file: { mediaType, filename, extension },
      start: (transfer) => startQuery(caller, { ...query, ...transfer }),
    };
  };
}
