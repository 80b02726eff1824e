import { z } from 'zod';
import { type CredentialKind, jsonBody, type Operation, STATEMENT_BODY_LIMITS } from '../operations/operation.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import {
  CSV_SEPARATORS,
  type DownloadFormat,
  type DownloadFormatName,
  type DownloadOption,
  downloadFormats,
} from './download-formats.ts';
import { keepField } from './kept-result.ts';
import { downloadFilename, namespaceFields, rendering, statementSql } from './query.ts';
import { queryParameters } from './query-parameters.ts';
import type { QueryParameter } from './read-parameter.ts';

const OPTION_FIELDS = {
  excel_safe: z
    .boolean({ error: 'excel_safe must be true or false' })
    .optional()
    .describe('Prefixes cells that a spreadsheet would run as a formula, which changes data, and sets `bom`'),
  separator: z
    .enum(CSV_SEPARATORS, { error: 'separator must be a comma, a semicolon, a tab or |' })
    .optional()
    .describe('Character between two fields. Default: a comma'),
  bom: z
    .boolean({ error: 'bom must be true or false' })
    .optional()
    .describe(
      'Begins the file with a byte order mark, so that Excel reads it as UTF-8. Default: the value of `excel_safe`',
    ),
  excel_dates: z
    .boolean({ error: 'excel_dates must be true or false' })
    .optional()
    .describe(
      'Makes date cells of all dates, times and timestamps, rounded to milliseconds, which changes data; the sheet About counts the changes',
    ),
  ...rendering,
} satisfies Record<DownloadOption, z.ZodType>;

/** Body of a download, with the options of every format; a format's own schema rejects those that it does not have. */
export type DownloadRequest = {
  readonly sql: string;
  readonly filename: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly keep?: string | undefined;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
} & {
  readonly [Option in DownloadOption]?: z.output<(typeof OPTION_FIELDS)[Option]>;
};

export interface DownloadOperation extends Operation {
  readonly credentials: readonly [CredentialKind, ...CredentialKind[]];
  readonly body: { readonly schema: z.ZodType<DownloadRequest> } & NonNullable<Operation['body']>;
}

type DownloadOperationId = `download${Capitalize<DownloadFormatName>}`;

const capitalized = (name: DownloadFormatName) => `${name[0]?.toUpperCase()}${name.slice(1)}`;
const operationId = (name: DownloadFormatName) => `download${capitalized(name)}` as DownloadOperationId;

function downloadBody(name: DownloadFormatName, { options }: DownloadFormat): z.ZodType<DownloadRequest> {
  const fields = Object.fromEntries(options.map((option) => [option, OPTION_FIELDS[option]]));
  return z
    .strictObject({
      sql: statementSql,
      parameters: queryParameters.optional(),
      filename: downloadFilename,
      keep: keepField,
      ...namespaceFields,
      ...fields,
    })
    .meta({ id: `${capitalized(name)}DownloadRequest` }) as unknown as z.ZodType<DownloadRequest>;
}

function createDownloadOperation(name: DownloadFormatName, format: DownloadFormat): DownloadOperation {
  const { schema, failedStatement, mediaType, description } = format;
  return {
    id: operationId(name),
    subject: 'queries',
    method: 'POST',
    path: `/query/download/${name}`,
    summary: `Run a statement and download its result as ${format.summary}`,
    credentials: ['basic', 'idtoken', 'bearer'],
    permission: 'query:run',
    body: {
      ...jsonBody(downloadBody(name, format), STATEMENT_BODY_LIMITS),
      exactNumbersIn: 'parameters',
    },
    streams: true,
    responses: { 200: { description, mediaType, ...(schema === undefined ? {} : { schema }) } },
    ...(failedStatement === undefined ? {} : { failedStatement }),
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  };
}

/** `POST /query/download/<format>` for every row of the table of formats, by operation id. */
export const downloadOperations = Object.fromEntries(
  downloadFormats.map(([name, format]) => [operationId(name), createDownloadOperation(name, format)]),
) as Record<DownloadOperationId, DownloadOperation>;

/** The operation that downloads a result in a format. */
export const downloadOperation = (name: DownloadFormatName): DownloadOperation => downloadOperations[operationId(name)];
