import { type DownloadFormat, ITEM_FORMATS } from '@sluice/client';
import { type LinkParameters, linkQuery } from '../parameters/list-values.ts';
import {
  ALL_FORMATS,
  type DownloadOption,
  type DownloadOptions,
  hasOption,
  inMenuOrder,
  SEPARATORS,
} from './download-options.ts';
import { fileNameOf } from './file-name.ts';
import type { HeldResult } from './row-file.ts';

/** A download operation of the stream host, as `POST /tickets` takes it. */
export interface DownloadOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Something that can be downloaded. */
export interface DownloadSource {
  /** Returns the name of the file without its extension, as the menu proposes it. Called when the user chooses the format. */
  readonly readName: () => string;
  readonly formats: readonly DownloadFormat[];
  /** Whether the user may choose the name of the file and how it is written. Links have no such options. */
  readonly hasOptions: boolean;
  /** Kept result that the file comes from: no statement runs again, and the time zone is that of the execution. Undefined: there is none. */
  readonly kept?: { readonly queryId: string; readonly rows: number } | undefined;
  /** One sentence about what the file will have, shown before the download. */
  readonly note?: string | undefined;
  /** Rows that the page holds: a file of all of them needs no further run. Undefined: the host sends every file. */
  readonly held?: HeldResult | undefined;
  /** Returns the extension of the file. Default: the format. */
  readonly extensionOf?: (format: DownloadFormat) => string;
  /** Returns the operation, or undefined if there is nothing to download. Called when the user has chosen the format. */
  readonly operationOf: (
    format: DownloadFormat,
    name: string,
    options: DownloadOptions,
  ) => DownloadOperation | undefined;
}

/** A statement with its parameters, as `POST /query` takes them. */
interface DownloadedStatement {
  readonly sql: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the body of a download in a format. Options that the format does not have are left out, because the host rejects them. */
function statementBody(
  { sql, parameters }: DownloadedStatement,
  format: DownloadFormat,
  filename: string,
  options: DownloadOptions,
): Readonly<Record<string, unknown>> {
  const has = (option: DownloadOption): boolean => hasOption(format, option);
  return {
    sql,
    filename,
    ...(parameters === undefined || Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(has('timeZone') && options.timeZone !== 'UTC' ? { time_zone: options.timeZone } : {}),
    ...(has('bigNumbersAsText') && options.bigNumbersAsText ? { big_numbers: 'string' } : {}),
    ...(has('excelSafe') && options.excelSafe ? { excel_safe: true } : {}),
    ...(has('separator') && options.separator !== SEPARATORS[0] ? { separator: options.separator } : {}),
    ...(has('bom') && options.bom ? { bom: true } : {}),
    ...(has('excelDates') && options.excelDates ? { excel_dates: true } : {}),
  };
}

/** Returns the query string of a download of a kept result. */
function resultQuery(format: DownloadFormat, filename: string, options: DownloadOptions): string {
  // The members of the body of a download are those of the query string.
  const { sql: _sql, ...given } = statementBody({ sql: '' }, format, filename, { ...options, timeZone: 'UTC' });
  return new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
}

interface ResultSourceInput {
  readonly queryId: string;
  /** Rows of the result. */
  readonly rows: number;
  /** Called when the user chooses the format. */
  readonly readName: () => string;
  readonly note: string;
  /** Default: all. */
  readonly formats?: readonly DownloadFormat[];
  readonly held?: HeldResult | undefined;
}

/** Describes a kept result, which the download sends without a run. */
export const resultSource = ({ queryId, rows, readName, note, formats, held }: ResultSourceInput): DownloadSource => ({
  readName: () => fileNameOf(readName()),
  note,
  held,
  kept: { queryId, rows },
  formats: formats === undefined ? ALL_FORMATS : ALL_FORMATS.filter((format) => formats.includes(format)),
  hasOptions: true,
  operationOf: (format, filename, options) => ({
    method: 'GET',
    path: `/query/${encodeURIComponent(queryId)}/download/${format}?${resultQuery(format, fileNameOf(filename), options)}`,
  }),
});

interface StatementSourceInput {
  /** Called when the user chooses the format. */
  readonly readName: () => string;
  readonly note?: string | undefined;
  readonly held?: HeldResult | undefined;
  /** Called when the user has chosen the format. Undefined: there is no statement. */
  readonly statement: () => DownloadedStatement | undefined;
}

/** Describes the result of a statement, which the download runs again unless the page holds its rows. */
export const statementSource = ({ readName, note, held, statement }: StatementSourceInput): DownloadSource => ({
  readName: () => fileNameOf(readName()),
  note,
  held,
  formats: ALL_FORMATS,
  hasOptions: true,
  operationOf: (format, filename, options) => {
    const found = statement();
    if (found === undefined) return undefined;
    const body = statementBody(found, format, fileNameOf(filename), options);
    return { method: 'POST', path: `/query/download/${format}`, body };
  },
});

/** Returns the values, or undefined if one is missing. Called when the user has chosen the format. */
type ReadParameters = () => LinkParameters | undefined;

function toLink(path: string, parameters: LinkParameters | undefined): DownloadOperation | undefined {
  if (parameters === undefined) return undefined;
  const query = linkQuery(parameters);
  return { method: 'GET', path: query === '' ? path : `${path}?${query}` };
}

/** Describes the result of a published datamap. The host names the file after the datamap. */
export const datamapSource = (
  { id, name }: { readonly id: string; readonly name: string },
  parameters: ReadParameters = () => ({}),
): DownloadSource => ({
  readName: () => fileNameOf(name),
  formats: ALL_FORMATS,
  hasOptions: false,
  operationOf: (format) => toLink(`/datamap/${encodeURIComponent(id)}/download/${format}`, parameters()),
});

/** Describes the files of a marketplace item: one file, or an archive or workbook if the item has several datamaps. */
export const itemSource = (
  { id, name, datamaps }: { readonly id: string; readonly name: string; readonly datamaps: number },
  parameters: ReadParameters = () => ({}),
): DownloadSource => ({
  readName: () => fileNameOf(name),
  formats: inMenuOrder(ITEM_FORMATS),
  hasOptions: false,
  extensionOf: (format) => (datamaps > 1 && format !== 'xlsx' ? 'zip' : format),
  operationOf: (format) => toLink(`/marketplace/${encodeURIComponent(id)}/download/${format}`, parameters()),
});

/** Returns the name of the file with its extension, as the host names it. */
export function fullNameOf(source: DownloadSource, name: string, format: DownloadFormat): string {
  const suffix = `.${source.extensionOf?.(format) ?? format}`;
  const base = fileNameOf(name);
  return base.toLowerCase().endsWith(suffix) ? base : `${base}${suffix}`;
}
