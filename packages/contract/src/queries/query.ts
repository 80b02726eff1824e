import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { integerField } from '../fields/integer-field.ts';
import { hasAtMost, nonBlankText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import { columnBody } from './column.ts';
import { keepField, reuseField } from './kept-result.ts';
import { queryParameters } from './query-parameters.ts';

/** Maximum size of a statement in bytes of UTF-8. */
export const SQL_BYTES_MAX = 262_144;
const FILENAME_CHARACTERS_MAX = 200;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export const statementSql = z
  .string({ error: 'sql is required and must be a string' })
  .refine((text) => text.trim() !== '', 'sql must not be empty or blank')
  .refine((text) => !text.includes('\0'), 'sql must not contain the NUL character')
  .refine((text) => text.isWellFormed(), 'sql must be well-formed Unicode: it has a lone surrogate')
  .refine((text) => bytesOf(text) <= SQL_BYTES_MAX, `sql must have at most ${SQL_BYTES_MAX} bytes of UTF-8`)
  .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: SQL_BYTES_MAX })
  .describe('One read-only SQL statement');

/** Names of the IANA time zone database without a slash. Systems accept more abbreviations (PST), which are ambiguous. */
const ZONES_WITHOUT_SLASH = new Set(
  'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu'
    .toLowerCase()
    .split(' '),
);

const TIME_ZONE = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Returns the zone name as written, or undefined if it is not an IANA name. Every alias of UTC becomes `UTC`, so that an instant has one text. */
export function timeZoneNamed(name: string): string | undefined {
  if (!TIME_ZONE.test(name)) return undefined; // offsets such as +02:00 are not names
  if (!name.includes('/') && !ZONES_WITHOUT_SLASH.has(name.toLowerCase())) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === 'UTC' ? 'UTC' : name;
  } catch {
    return undefined;
  }
}

const NAMESPACE_CHARACTERS_MAX = 256;

/** Schema of unqualified names, of streams and downloads. */
export const namespaceFields = {
  catalog: nonBlankText('catalog', NAMESPACE_CHARACTERS_MAX)
    .optional()
    .describe('Catalog of names that have none. Default: that of the engine'),
  schema: nonBlankText('schema', NAMESPACE_CHARACTERS_MAX)
    .optional()
    .describe('Schema of names that have none. Default: that of the engine in its default catalog'),
};

/** Fields that streams and downloads share (extension). */
export const rendering = {
  time_zone: z
    .string({ error: 'time_zone must be a string' })
    .refine((name) => timeZoneNamed(name) !== undefined, 'time_zone must be an IANA name such as Europe/Berlin')
    .overwrite((name) => timeZoneNamed(name) ?? name)
    .meta({ pattern: TIME_ZONE.source })
    .optional()
    .describe('Time zone of the session. Default: UTC'),
  big_numbers: z
    .enum(['number', 'string'], { error: 'big_numbers must be "number" or "string"' })
    .optional()
    .describe('"string" sends the values of every column that may exceed a double as strings'),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const FORBIDDEN_IN_FILENAME = /[\u0000-\u001f\u007f-\u009f/\\]/;

export const downloadFilename = z
  .string({ error: 'filename must be a string' })
  .min(1, 'filename must not be empty')
  .refine(
    (name) => hasAtMost(name, FILENAME_CHARACTERS_MAX),
    `filename must have at most ${FILENAME_CHARACTERS_MAX} characters`,
  )
  .refine(
    (name) => !FORBIDDEN_IN_FILENAME.test(name),
    'filename must not contain control characters or path separators',
  )
  .refine((name) => name.isWellFormed(), 'filename must be well-formed Unicode')
  .refine((name) => !/^\.+$/.test(name), 'filename must not consist of dots')
  .meta({
    pattern:
      '^[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]*[^\\u0000-\\u001f\\u007f-\\u009f/\\\\.][^\\u0000-\\u001f\\u007f-\\u009f/\\\\]*$',
    maxLength: FILENAME_CHARACTERS_MAX,
  })
  .default('download')
  .describe('Output file name without extension');

export const queryBody = z
  .strictObject({
    sql: statementSql,
    parameters: queryParameters.optional(),
    size: integerField('size', { min: 1 }).optional().describe('Maximum number of rows'),
    progress: z
      .boolean({ error: 'progress must be true or false' })
      .optional()
      .describe('Adds progress events, and statistics to `complete`'),
    keep: keepField,
    reuse: reuseField,
    ...namespaceFields,
    ...rendering,
  })
  .meta({ id: 'QueryRequest' });

export const QUERY_STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED', 'UNKNOWN'] as const;
export type QueryState = (typeof QUERY_STATES)[number];
/** Final state of a query. UNKNOWN: its host died. */
export type QueryEndState = Exclude<QueryState, 'QUEUED' | 'RUNNING'>;

export const receiptBody = z
  .object({
    query_id: z.string(),
    state: z.enum(QUERY_STATES),
    rows: z.int().min(0),
    bytes: z.int().min(0).describe('Bytes of the uncompressed body as sent'),
    sha256: z
      .string()
      .nullable()
      .describe('SHA-256 of those bytes in lower-case hex. Null while the query runs and if the transfer was cut'),
    limited: z.boolean().describe('The result had more rows than `size`'),
    at_least: z
      .literal(true)
      .optional()
      .describe(
        'Present if the outcome is unknown: `rows` and `bytes` were sent up to the last heartbeat of the host, at most 5 s before its end',
      ),
    started_ts: epochMs,
    ended_ts: epochMs.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof receiptBody>;

/** Maximum length of the SQL in a list of running and waiting queries. */
export const LISTED_SQL_CHARACTERS_MAX = 8_192;

/** SQL of an entry in a list of running and waiting queries. */
export const listedSqlFields = {
  sql: z.string().describe(`The first ${LISTED_SQL_CHARACTERS_MAX} characters`),
  sql_truncated: z.literal(true).optional().describe('Present if the SQL is longer'),
};

export const runningQueriesBody = z
  .object({
    data: z.array(
      z.object({
        query_id: z.string(),
        ...listedSqlFields,
        state: z.enum(QUERY_STATES),
        started_ts: epochMs,
        rows: z.int(),
        bytes: z.int(),
      }),
    ),
  })
  .meta({ id: 'RunningQueries' });
export type RunningQueries = z.infer<typeof runningQueriesBody>;

/** Codes as events and result sets spell them, such as TABLE_NOT_FOUND. */
const STATEMENT_CODES = STATEMENT_PROBLEMS.map((code) => code.toUpperCase());
const location = z.object({ line: z.int().min(1), column: z.int().min(1) }).optional();

export const resultSetBody = z
  .object({
    metadata: z.object({ columns: z.array(columnBody), type: z.literal('metadata') }),
    data: z.array(z.record(z.string(), z.unknown())),
    error: z.string().optional().describe('Present only if the query failed after the first byte'),
    code: z.enum(STATEMENT_CODES).optional(),
    query_id: z.string().optional(),
    location,
  })
  .meta({ id: 'ResultSet' });

/** Body for a statement that fails before the first byte: a result set with the members of the error JSON. */
export const failedResultSetBody = z
  .object({
    metadata: z.object({ columns: z.array(columnBody).max(0), type: z.literal('metadata') }),
    data: z.array(z.unknown()).max(0),
    error: z.string().describe('Sentence for people that says what is wrong and what to do'),
    code: z.enum(STATEMENT_CODES),
    query_id: z.uuid(),
    request_id: z.string(),
    message: z.string().describe('The same sentence as `error`'),
    location,
  })
  .meta({ id: 'FailedResultSet' });

/** `{id}` of a query: the UUID in X-Query-Id. */
export const queryParams = z.strictObject({ id: z.string() });
