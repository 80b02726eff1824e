import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { integerText } from '../fields/integer-field.ts';
import { listOf } from '../fields/list-of.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { named } from '../marketplace/marketplace-fields.ts';
import { columnBody } from './column.ts';
import { CSV_SEPARATORS, type DownloadFormatName, downloadFormats } from './download-formats.ts';
import { downloadFilename } from './query.ts';

const SHARES_MAX = 100;
const ROW_MAX = 999_999_999;
/** Streams of kept results that one account may read, or wait for, at once on a host. */
export const EVENT_READERS_MAX = 20;

const formatNames = downloadFormats.map(([name]) => name) as [DownloadFormatName, ...DownloadFormatName[]];

/** Formats in which a kept result can be downloaded, on each engine. */
export const RESULT_FORMATS: readonly DownloadFormatName[] = formatNames;

/** A role or account that may view a kept result. */
const share = z.strictObject({
  kind: z.enum(['role', 'user', 'client'], { error: 'kind must be role, user or client' }),
  name: named('name', 320).describe('Name of a role, e-mail of a user or client id of a service account'),
});

export const resultSharesBody = z
  .strictObject({
    shares: listOf(share, { error: 'shares must be an array of objects with kind and name' })
      .max(SHARES_MAX, `shares must hold at most ${SHARES_MAX}`)
      .superRefine(
        uniqueEntries('shares', {
          keyOf: ({ kind, name }) => `${kind} ${name.toLowerCase()}`,
          nameOf: ({ kind, name }) => `the ${kind} ${name}`,
        }),
      ),
  })
  .meta({ id: 'ResultShares' });
export type ResultShares = z.infer<typeof resultSharesBody>;

export const keptResultBody = z
  .object({
    query_id: z.uuid(),
    sql: z.string().nullable().describe('Null for a result that another account has shared'),
    columns: z.array(columnBody),
    rows: z.int().min(0),
    limited: z.boolean().describe('The statement had more rows than `size` of its query'),
    bytes: z.int().min(0).describe('Bytes in the store, compressed and encrypted'),
    time_zone: z.string().describe('Time zone of the execution'),
    as_of: epochMs.describe('Time of the execution, in milliseconds since 1970'),
    expires_ts: epochMs.describe('Time until which the result is kept, in milliseconds since 1970'),
    ran_by: z.string().describe('E-mail of the user, or client id of the service account, that ran the query'),
    is_own: z.boolean(),
    shares: z.array(share).nullable().describe('Who may view the result besides. Null for a result of another account'),
    formats: z.array(z.enum(formatNames)).describe('Formats in which it can be downloaded'),
  })
  .meta({ id: 'KeptResult' });
export type KeptResultFacts = z.infer<typeof keptResultBody>;

const flag = (name: string) =>
  z
    .enum(['true', 'false'], { error: `${name} must be true or false` })
    .transform((value) => value === 'true')
    .optional();

export const resultDownloadParams = z.strictObject({
  id: z.string(),
  format: z.enum(formatNames, { error: `format must be one of ${formatNames.join(', ')}` }),
});

/** Options of a download of a kept result: those of POST /query/download/{format}, without the time zone, which is that of the execution. */
export const resultDownloadQuery = z.strictObject({
  filename: downloadFilename,
  excel_safe: flag('excel_safe').describe(
    'CSV: prefixes cells that a spreadsheet would run as a formula, which changes data, and sets `bom`',
  ),
  separator: z
    .enum(CSV_SEPARATORS, { error: 'separator must be a comma, a semicolon, a tab or |' })
    .optional()
    .describe('CSV: character between two fields. Default: a comma'),
  bom: flag('bom').describe('CSV: begins the file with a byte order mark. Default: the value of `excel_safe`'),
  excel_dates: flag('excel_dates').describe('XLSX: makes date cells of all dates, times and timestamps'),
  big_numbers: z
    .enum(['number', 'string'], { error: 'big_numbers must be "number" or "string"' })
    .optional()
    .describe('CSV, JSON, NDJSON: "string" sends the values of every column that may exceed a double as strings'),
});

/** Continues a stream of events. */
export const resumeQuery = z.strictObject({
  after: integerText('after', { min: 0, max: ROW_MAX })
    .optional()
    .describe('Rows that were received already. The header `Last-Event-ID` says the same; the query string wins'),
  big_numbers: z
    .enum(['number', 'string'], { error: 'big_numbers must be "number" or "string"' })
    .optional()
    .describe('As in the request that began the stream'),
  progress: flag('progress').describe('`true`: progress events while the query runs'),
});
