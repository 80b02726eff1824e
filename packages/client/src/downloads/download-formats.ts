// Written by `npm run docs:generate` from packages/contract.

/** Format of the result of a statement. */
export type DownloadFormat = 'csv' | 'json' | 'ndjson' | 'xlsx' | 'parquet';

/** Format of an item of the marketplace. */
export type ItemFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';

/** An option that only some formats have. */
export type FormatOption = 'excelSafe' | 'separator' | 'bom' | 'excelDates' | 'timeZone' | 'bigNumbers';

interface FormatRow {
  /** Name in sentences. */
  readonly label: string;
  /** Extension of the file, without its dot. */
  readonly extension: string;
  /** Whether the file is text. */
  readonly isText: boolean;
  readonly options: readonly FormatOption[];
}

/** Every format of a download, text formats first. */
export const DOWNLOAD_FORMATS: Readonly<Record<DownloadFormat, FormatRow>> = {
  csv: {
    label: 'CSV',
    extension: 'csv',
    isText: true,
    options: ['excelSafe', 'separator', 'bom', 'timeZone', 'bigNumbers'],
  },
  json: { label: 'JSON', extension: 'json', isText: true, options: ['timeZone', 'bigNumbers'] },
  ndjson: { label: 'NDJSON', extension: 'ndjson', isText: true, options: ['timeZone', 'bigNumbers'] },
  xlsx: { label: 'XLSX', extension: 'xlsx', isText: false, options: ['excelDates', 'timeZone'] },
  parquet: { label: 'Parquet', extension: 'parquet', isText: false, options: ['timeZone'] },
};

/** Formats of the marketplace, text formats first. */
export const ITEM_FORMATS: readonly ItemFormat[] = ['csv', 'json', 'ndjson', 'xlsx'];
