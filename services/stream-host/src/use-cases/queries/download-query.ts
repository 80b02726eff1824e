import {
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadRequest,
  resultLimits,
} from '@sluice/contract';
import type { EngineResolver } from '@sluice/tenant-engines';
import { bundleWorkbook } from '../marketplace/bundle-workbook.ts';
import type { QueryInput } from './query-input.ts';
import type { QueryRun } from './query-run.ts';
import { requireFormat } from './require-format.ts';
import type { StartQuery } from './start-query.ts';

interface DownloadQueryDependencies {
  readonly startQuery: StartQuery;
  readonly resolveEngine: EngineResolver;
  /** Limit of the disk space for texts that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

interface DownloadQueryInput extends DownloadRequest, Pick<QueryInput, 'signal' | 'reader'> {
  readonly format: DownloadFormatName;
}

/** Starts a statement whose result is one file. Throws `not_supported` if the engine cannot make it, and what `StartQuery` throws. */
export type DownloadQuery = (caller: Caller, input: DownloadQueryInput) => Promise<QueryRun>;

export function createDownloadQuery(dependencies: DownloadQueryDependencies): DownloadQuery {
  const { startQuery, resolveEngine, overflowBytesMax } = dependencies;
  return async (caller, input) => {
    const { tenant } = caller.principal;
    const { format: name, sql, parameters, filename, signal, reader } = input;
    const format: DownloadFormat = DOWNLOAD_FORMATS[name];
    requireFormat(resolveEngine(tenant), format);
    return await startQuery(caller, {
      action: 'DOWNLOAD_QUERY',
      sql,
      parameters,
      format: {
        name,
        bigNumbers: input.big_numbers ?? 'number',
        formulas: input.excel_safe === true ? 'prefix' : 'keep',
        progress: 'hidden',
      },
      ...(format.assembly === 'workbook'
        ? { bundle: bundleWorkbook([{ name: filename, sql, parameters, about: sql }], overflowBytesMax) }
        : {}),
      timeZone: input.time_zone ?? 'UTC',
      // An engine that writes the file reports its rows at the end, so it is stopped after the first row beyond the tenant's limit.
      rowsMax: format.assembly === 'engine' ? resultLimits(tenant.settings).rowsMax : undefined,
      metadata: { format: name, filename },
      signal,
      reader,
    });
  };
}
