import type { z } from 'zod';
import { failedResultSetBody, resultSetBody } from './query.ts';

/** A capability of an engine that a format depends on. */
export type FormatRequirement = 'writesFiles';

/** Fields of a download request besides `sql` and `filename`. */
export type DownloadOption = 'excel_safe' | 'separator' | 'bom' | 'excel_dates' | 'time_zone' | 'big_numbers';

/** Characters between two fields of a CSV that a download may choose; the first is the default. */
export const CSV_SEPARATORS = [',', ';', '\t', '|'] as const;

/** One format in which results are downloaded. */
export interface DownloadFormat {
  readonly mediaType: string;
  /** Extension without the dot. */
  readonly extension: string;
  /** Name in sentences. */
  readonly label: string;
  /** Completes the summary "Run a statement and download its result as ...". */
  readonly summary: string;
  /** Description of the body, for OpenAPI. */
  readonly description: string;
  /** Options, in the order of OpenAPI. */
  readonly options: readonly DownloadOption[];
  /** Schema of a result, if it is JSON. */
  readonly schema?: z.ZodType;
  /** Schema of a statement that fails before its first byte, if it differs from the error JSON. */
  readonly failedStatement?: z.ZodType;
  /** `text`: rows one after the other. `workbook`: sheets that the host assembles. `engine`: a file that the engine writes. */
  readonly assembly: 'text' | 'workbook' | 'engine';
  /** Capability that the engine needs. Undefined if every engine can write the format. */
  readonly requires?: FormatRequirement;
  /** Values of `format` of a marketplace download; none: the marketplace does not offer it. */
  readonly marketplaceNames: readonly string[];
  /** Whether `/marketplace/{id}/download/<format>` exists besides `?format=`. */
  readonly hasMarketplacePath: boolean;
}

/**
 * Every format of a download. Routes, OpenAPI and the marketplace follow this table. To add a text format, add a row here, its encoder
 * (`packages/encoders/src`), and the encoder's case in `create-format.ts`.
 */
export const DOWNLOAD_FORMATS = {
  csv: {
    mediaType: 'text/csv',
    extension: 'csv',
    label: 'CSV',
    summary: 'CSV',
    description: 'A header row with the column names, then one line per row',
    options: ['excel_safe', 'separator', 'bom', 'time_zone', 'big_numbers'],
    assembly: 'text',
    marketplaceNames: ['csv'],
    hasMarketplacePath: true,
  },
  json: {
    mediaType: 'application/json',
    extension: 'json',
    label: 'JSON',
    summary: 'JSON',
    description: 'The result set',
    options: ['time_zone', 'big_numbers'],
    schema: resultSetBody,
    failedStatement: failedResultSetBody,
    assembly: 'text',
    marketplaceNames: ['json'],
    hasMarketplacePath: true,
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    label: 'XLSX',
    summary: 'an Excel workbook',
    description: 'A workbook. A result with more rows than a sheet can hold continues on further sheets',
    options: ['excel_dates', 'time_zone'],
    assembly: 'workbook',
    marketplaceNames: ['xlsx', 'xl'],
    hasMarketplacePath: false,
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    label: 'Parquet',
    summary: 'Parquet, if the engine can write it',
    description: 'A Parquet file. A truncated file has no footer, and readers reject it',
    options: ['time_zone'],
    assembly: 'engine',
    requires: 'writesFiles',
    marketplaceNames: [],
    hasMarketplacePath: false,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    label: 'NDJSON',
    summary: 'newline-delimited JSON',
    description: 'One JSON object per row, each on its own line. If the query fails, the connection is cut',
    options: ['time_zone', 'big_numbers'],
    assembly: 'text',
    marketplaceNames: ['ndjson'],
    hasMarketplacePath: false,
  },
} as const satisfies Record<string, DownloadFormat>;

export type DownloadFormatName = keyof typeof DOWNLOAD_FORMATS;
type FormatTable = typeof DOWNLOAD_FORMATS;

/** A value of `format` of a marketplace download. */
export type MarketplaceFormat = FormatTable[DownloadFormatName]['marketplaceNames'][number];

/** The rows of the table, in order, under their general type. */
export const downloadFormats: readonly (readonly [DownloadFormatName, DownloadFormat])[] = Object.entries(
  DOWNLOAD_FORMATS,
) as [DownloadFormatName, DownloadFormat][];

export const MARKETPLACE_FORMATS: readonly MarketplaceFormat[] = downloadFormats.flatMap(
  ([, { marketplaceNames }]) => marketplaceNames as readonly MarketplaceFormat[],
);

/** The format that a marketplace download names: `xl` is `xlsx`. */
export function marketplaceFormat(name: MarketplaceFormat): DownloadFormatName {
  const found = downloadFormats.find(([, { marketplaceNames }]) => marketplaceNames.includes(name));
  if (found === undefined) throw new Error(`${name} is not a marketplace format`);
  return found[0];
}
