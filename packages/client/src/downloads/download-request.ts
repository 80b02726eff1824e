import type { RequestInput } from '../http/send-request.ts';
import { expandPath } from '../operations/expand-path.ts';
import { encodeParameters } from '../queries/encode-parameters.ts';
import type { ParameterValue } from '../queries/query.ts';
import type { DownloadFormat, ItemFormat } from './download-formats.ts';

/** A statement whose result is downloaded. Options that a format does not have are rejected by the host. */
export interface StatementDownload {
  readonly format: DownloadFormat;
  readonly sql: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** Name in `Content-Disposition`, without extension. */
  readonly filename?: string;
  /** IANA name of the session's time zone. Default: UTC. */
  readonly timeZone?: string;
  /** Catalog of names that have none. Default: that of the engine. */
  readonly catalog?: string;
  /** Schema of names that have none. Default: that of the engine in its default catalog. */
  readonly schema?: string;
  /** `string` writes numbers that a double may round as strings. */
  readonly bigNumbers?: 'number' | 'string';
  /** CSV: prefixes values that a spreadsheet would run as formulas, which changes data, and sets `bom`. */
  readonly excelSafe?: boolean;
  /** CSV: character between two fields. Default: a comma. */
  readonly separator?: ',' | ';' | '\t' | '|';
  /** CSV: begins the file with a byte order mark, so that Excel reads it as UTF-8. Default: the value of `excelSafe`. */
  readonly bom?: boolean;
  /**
   * XLSX: makes date cells of all dates, times and timestamps, rounded to milliseconds, which changes data. The sheet About counts the
   * changes.
   */
  readonly excelDates?: boolean;
  /**
   * Keeps the result for this long after its end, such as `24h`; at most what the tenant allows. If the connection is cut, the rest of the
   * file is that of the kept result, which has the same bytes.
   */
  readonly keep?: string;
}

/** An item of the marketplace. Several queries make a ZIP archive, or one workbook. */
export interface ItemDownload {
  readonly itemId: string;
  readonly format: ItemFormat;
  /** Values of the parameters that the datamaps of the item declare, by name. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** Compression of a ZIP archive. Default: `deflate`. */
  readonly compression?: 'deflate' | 'store';
}

export type DownloadRequest = StatementDownload | ItemDownload;

const COMMON = { host: 'stream', method: 'POST', isAuthenticated: true, repeatability: 'statement' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };

function itemRequest({ itemId, format, parameters, compression }: ItemDownload): RequestInput {
  const path = expandPath('/marketplace/download', {}, { id: itemId, format, compression });
  const request = { ...COMMON, operation: 'downloadMarketplace', path };
  if (parameters === undefined) return request;
  return { ...request, headers: JSON_TYPE, body: JSON.stringify({ parameters: encodeParameters(parameters) }) };
}

/** Returns the request of a download. */
export function downloadRequest(request: DownloadRequest): RequestInput {
  if ('itemId' in request) return itemRequest(request);
  const { format, sql, parameters, filename, timeZone, catalog, schema, keep } = request;
  const { bigNumbers, excelSafe, separator, bom, excelDates } = request;
  const body = {
    sql,
    parameters: parameters === undefined ? undefined : encodeParameters(parameters),
    filename,
    time_zone: timeZone,
    catalog,
    schema,
    big_numbers: bigNumbers,
    excel_safe: excelSafe,
    separator,
    bom,
    excel_dates: excelDates,
    keep,
  };
  return {
    ...COMMON,
    operation: `download${format.slice(0, 1).toUpperCase()}${format.slice(1)}`,
    path: expandPath('/query/download/{format}', { format }),
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  };
}
