import {
  FILE_COLUMNS,
  type FileFormat,
  type MetadataObject,
  type MetadataResult,
  REPORT_MEMBERS,
} from '@sluice/contract';
import { writeList, writeText } from '@sluice/contract/metadata-files';
import { writeToString } from 'fast-csv';

/** Result of an object in a report. */
export type ReportedResult = Pick<
  MetadataResult,
  'success' | 'fact_id' | 'fields_processed' | 'error_message' | 'changes'
> & { readonly line: number };

/** Object of a file, with its result in a report. */
export interface WrittenObject {
  readonly object: MetadataObject;
  readonly result?: ReportedResult;
}

interface WriteOptions {
  readonly format: FileFormat;
  readonly isReport: boolean;
}

export const FILE_MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const satisfies Record<FileFormat, string>;

const encoder = new TextEncoder();

/** Results have an empty cell for null and for a missing list: an import ignores them. */
const resultCells = (result: ReportedResult): string[] =>
  REPORT_MEMBERS.map((name) => {
    const value = result[name];
    return typeof value === 'object' ? (value === null ? '' : JSON.stringify(value)) : String(value ?? '');
  });

const toRows = ({ object, result }: WrittenObject): string[][] => {
  const { type, id, display_name, description, tags, domains, domain_ids, fields = [] } = object;
  const own = [
    type,
    id,
    '',
    writeText(display_name),
    writeText(description),
    ...[tags, domains, domain_ids].map(writeList),
  ];
  const more = fields.map((field) => [
    ...[type, id, field.name, '', writeText(field.description), writeList(field.tags), '', ''],
    ...(result === undefined ? [] : REPORT_MEMBERS.map(() => '')),
  ]);
  return [[...own, ...(result === undefined ? [] : resultCells(result))], ...more];
};

const csvText = (rows: readonly string[][]): Promise<string> =>
  writeToString(rows as string[][], { headers: false, includeEndRowDelimiter: true, rowDelimiter: '\n' });

type Pages = AsyncIterable<readonly WrittenObject[]>;

async function* csvParts(pages: Pages, isReport: boolean): AsyncGenerator<string> {
  let text = `${[...FILE_COLUMNS, ...(isReport ? REPORT_MEMBERS : [])].join(',')}\n`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield text + (await csvText(page.flatMap(toRows)));
    text = '';
  }
  if (text !== '') yield text;
}

const toJson = ({ object, result }: WrittenObject): string => JSON.stringify({ ...result, ...object });

async function* ndjsonParts(pages: Pages): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((each) => `${toJson(each)}\n`).join('');
}

async function* jsonParts(pages: Pages): AsyncGenerator<string> {
  let before = '{"metadata_objects":[\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map(toJson).join(',\n');
    before = ',\n';
  }
  yield `${before === ',\n' ? '' : before}\n]}\n`;
}

/** Writes pages of objects as a file that an import accepts. Writes nothing before the first page is read, so an early error is a response. */
export async function* writeMetadataFile(pages: Pages, { format, isReport }: WriteOptions): AsyncGenerator<Uint8Array> {
  const parts = { csv: csvParts, ndjson: ndjsonParts, json: jsonParts }[format];
  for await (const part of parts(pages, isReport)) yield encoder.encode(part);
}
