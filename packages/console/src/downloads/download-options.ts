import { DOWNLOAD_FORMATS, type DownloadFormat, type FormatOption } from '@sluice/client';
import type { Translate } from '../i18n/translate.tsx';

/** Separators of a CSV; the first is the default. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Options of the file. A format ignores those that it does not have. */
export interface DownloadOptions {
  /** Prefixes values that a spreadsheet would run as a formula. */
  readonly excelSafe: boolean;
  /** Character between two fields. */
  readonly separator: Separator;
  /** Begins the file with a byte order mark. */
  readonly bom: boolean;
  /** Makes date cells of all dates, times and timestamps, rounded to milliseconds. */
  readonly excelDates: boolean;
  /** Writes numbers that a double may round as strings. */
  readonly bigNumbersAsText: boolean;
  /** IANA name of the session's time zone. */
  readonly timeZone: string;
}

export type DownloadOption = keyof DownloadOptions;

export const NO_OPTIONS: DownloadOptions = {
  excelSafe: false,
  separator: ',',
  bom: false,
  excelDates: false,
  bigNumbersAsText: false,
  timeZone: 'UTC',
};

const CLIENT_NAMES: Readonly<Record<DownloadOption, FormatOption>> = {
  excelSafe: 'excelSafe',
  separator: 'separator',
  bom: 'bom',
  excelDates: 'excelDates',
  bigNumbersAsText: 'bigNumbers',
  timeZone: 'timeZone',
};

/** Returns whether a format has an option. */
export const hasOption = (format: DownloadFormat, option: DownloadOption): boolean =>
  DOWNLOAD_FORMATS[format].options.includes(CLIENT_NAMES[option]);

/** Returns the name of a format in menus. Only that of XLSX differs from its name in sentences. */
export const formatLabel = (format: DownloadFormat, t: Translate): string =>
  format === 'xlsx' ? t('downloads.format.xlsx') : DOWNLOAD_FORMATS[format].label;

const isFirst = (format: DownloadFormat): boolean => format === 'csv' || format === 'xlsx';

/** Returns formats in the order of menus: those that most programs open come first. */
export const inMenuOrder = <Format extends DownloadFormat>(formats: readonly Format[]): readonly Format[] => [
  ...formats.filter(isFirst),
  ...formats.filter((format) => !isFirst(format)),
];

/** Formats of the result of a statement, in the order of menus. */
export const ALL_FORMATS = inMenuOrder(Object.keys(DOWNLOAD_FORMATS) as readonly DownloadFormat[]);
