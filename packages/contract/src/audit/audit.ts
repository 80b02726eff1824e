import { z } from 'zod';
import { EPOCH_MAX, EPOCH_MIN, epochText, MILLISECONDS_EXPECTED } from '../fields/epoch-field.ts';
import { integerField, integerText } from '../fields/integer-field.ts';
import { listOf } from '../fields/list-of.ts';
import { hasAtMost, TEXT_PATTERNS } from '../fields/text-field.ts';
import { AUDIT_ACTIONS, type AuditAction } from './audit-action.ts';
import { OPTIONAL_AUDIT_FIELDS } from './audit-fields.ts';
import { readsFilter } from './reads-filter.ts';

export const AUDIT_PAGE_RECORDS_MAX = 3000;
const PAGE_RECORDS_DEFAULT = 100;
/** Maximum length of a stored name. */
const NAME_CHARACTERS_MAX = 320;
const REQUEST_ID_CHARACTERS_MAX = 200;
const UUID_CHARACTERS = 36;

const epoch = (name: string) =>
  integerField(name, {
    min: EPOCH_MIN,
    max: EPOCH_MAX,
    type: 'must be an integer: an epoch timestamp',
    tooSmall: MILLISECONDS_EXPECTED,
  });

const text = (name: string, charactersMax: number) =>
  z
    .string({ error: `${name} must be a string` })
    .min(1, `${name} must not be empty`)
    .refine((value) => hasAtMost(value, charactersMax), `${name} must have at most ${charactersMax} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), `${name} must be well-formed Unicode without NUL`)
    .meta({ pattern: TEXT_PATTERNS.storable, maxLength: charactersMax });

/** Characters of an unknown action that its message repeats. */
const SHOWN_CHARACTERS = 100;

const ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];
/** More than there are actions. */
const ACTIONS_MAX = 200;

const unknownAction = (name: string, given: unknown): string => {
  const shown = typeof given === 'string' ? `, not ${JSON.stringify(given.slice(0, SHOWN_CHARACTERS))}` : '';
  return `${name} must be a known action${shown}: docs/audit-actions.md lists all of them`;
};

const actionField = (name: string) => z.enum(ACTION_NAMES, { error: ({ input }) => unknownAction(name, input) });

const actionList = (name: string) =>
  listOf(actionField(name), { error: `${name} must be a list of actions` })
    .min(1, `${name} must have at least one action`)
    .max(ACTIONS_MAX, `${name} must have at most ${ACTIONS_MAX} actions`);

const isAction = (name: string): name is AuditAction => Object.hasOwn(AUDIT_ACTIONS, name);
const unknownIn = (names: string): string | undefined => names.split(',').find((name) => !isAction(name));

/** List of actions in a query string: names with commas between them. */
const actionListText = (name: string) =>
  z
    .string()
    .refine((names) => unknownIn(names) === undefined, {
      error: ({ input }) => unknownAction(name, unknownIn(String(input))),
    })
    .meta({ pattern: `^(?:${ACTION_NAMES.join('|')})(?:,(?:${ACTION_NAMES.join('|')}))*$` })
    .transform((names) => names.split(',').filter(isAction));

/** Longest text of words that are searched in SQL, target and error message. */
const SEARCH_TEXT_CHARACTERS_MAX = 200;

const searchText = text('text', SEARCH_TEXT_CHARACTERS_MAX)
  .refine((words) => words.trim() !== '', 'text must have at least one word')
  .meta({ pattern: TEXT_PATTERNS.notBlank });

const filterFields = {
  user_name: text('user_name', NAME_CHARACTERS_MAX)
    // A client id has no @ and is case-sensitive.
    .overwrite((name) => (name.includes('@') ? name.toLowerCase() : name))
    .optional()
    .describe('Actions of this account: an e-mail address, in any case, or a client id'),
  action: actionField('action').optional(),
  actions: actionList('actions').optional().describe('Any of these actions'),
  exclude_actions: actionList('exclude_actions').optional().describe('None of these actions'),
  target: text('target', NAME_CHARACTERS_MAX).optional().describe('Name of the affected object'),
  request_id: text('request_id', REQUEST_ID_CHARACTERS_MAX).optional(),
  query_id: z.uuid({ error: 'query_id must be a UUID' }).meta({ maxLength: UUID_CHARACTERS }).optional(),
  text: searchText
    .optional()
    .describe(
      'Words that SQL, target and error message of a record must together contain, also within longer words; case and accents do not matter',
    ),
  reads: readsFilter.optional(),
};

const rangeFields = {
  start: epoch('start').optional().describe('Epoch milliseconds, inclusive'),
  end: epoch('end').optional().describe('Epoch milliseconds, exclusive'),
};

interface Range {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

const isRange = ({ start, end }: Range): boolean => start === undefined || end === undefined || start < end;
const RANGE_ERROR = { error: 'start must be before end', path: ['start'] };

const advanceOptions = z.strictObject(filterFields, { error: 'advance_options must be an object of known filters' });

export const auditSearchBody = z
  .strictObject({
    size: integerField('size', { min: 1, max: AUDIT_PAGE_RECORDS_MAX })
      .default(PAGE_RECORDS_DEFAULT)
      .describe('Records per page'),
    sort_value: z.enum(['asc', 'desc'], { error: 'sort_value must be "asc" or "desc"' }).default('desc'),
    advance_options: advanceOptions.optional(),
    ...rangeFields,
  })
  .refine(isRange, RANGE_ERROR)
  .meta({ id: 'AuditSearchRequest' });
export type AuditSearch = z.infer<typeof auditSearchBody>;

export const auditPageQuery = z.strictObject({
  page_token: z
    .string({ error: 'page_token is required' })
    // The handler checks the value, because any other string is `invalid_page_token`.
    .meta({ pattern: '^[A-Za-z0-9_-]{43}$' })
    .describe('next_page_token of the previous page'),
});

type OptionalMembers = Record<(typeof OPTIONAL_AUDIT_FIELDS)[number]['name'], z.ZodNullable<z.ZodString>>;

const optionalMembers = Object.fromEntries(
  OPTIONAL_AUDIT_FIELDS.map(({ name }) => [name, z.string().nullable()]),
) as OptionalMembers;

const auditRecordBody = z
  .object({
    timestamp: z.int().describe('Epoch milliseconds of the action'),
    user: z.string().describe('E-mail address or client id of the account that acted'),
    action: z.string(),
    target: z.string().describe('Name of the affected object'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        'Details of the action. For a query also the outcome (state, rows, bytes, sha256, duration_ms, error) and tables_read: full names of the tables and views that it read',
      ),
    id: z.string(),
    ...optionalMembers,
  })
  .meta({ id: 'AuditRecord' });

export const auditPageBody = z
  .object({
    total: z.int().describe('Number of matching records, counted at the first page'),
    at_least: z
      .boolean()
      .optional()
      .describe(
        'True if more than `total` may match: only a part of the log was searched for `text` when it was counted',
      ),
    searched_to: z
      .int()
      .optional()
      .describe(
        'Epoch milliseconds up to which the log was searched, if the page ends there and not at its size. The next page continues',
      ),
    data: z.array(auditRecordBody),
    next_page_token: z.string().optional().describe('Valid for 120 seconds; absent on the last page'),
    reads_since: z
      .int()
      .nullable()
      .optional()
      .describe(
        'With the filter reads: epoch milliseconds of the first record that names the tables it read, null if there is none. Earlier records of statements name none, so they do not match',
      ),
  })
  .meta({ id: 'AuditPage' });

export const auditExportBody = z
  .strictObject({
    format: z.enum(['ndjson', 'csv'], { error: 'format must be "ndjson" or "csv"' }).default('ndjson'),
    raw: z
      .boolean({ error: 'raw must be true or false' })
      .default(false)
      .describe(
        'CSV with unchanged values. Otherwise a value that a spreadsheet would run as a formula is prefixed with an apostrophe',
      ),
    advance_options: advanceOptions.optional(),
    ...rangeFields,
  })
  .refine(isRange, RANGE_ERROR)
  .meta({ id: 'AuditExportRequest' });
export type AuditExport = z.infer<typeof auditExportBody>;

/** A package covers at most a leap year, so that its summary fits in memory. */
export const EVIDENCE_DAYS_MAX = 366;
const DAY_MS = 86_400_000;

export const auditEvidenceQuery = z
  .strictObject({
    start: epochText('start').describe('Epoch milliseconds, inclusive'),
    end: epochText('end').describe(`Epoch milliseconds, exclusive, at most ${EVIDENCE_DAYS_MAX} days after start`),
  })
  .refine(isRange, RANGE_ERROR)
  .refine(({ start, end }) => end - start <= EVIDENCE_DAYS_MAX * DAY_MS, {
    error: `end must be at most ${EVIDENCE_DAYS_MAX} days after start; request several packages`,
    path: ['end'],
  });
export type AuditEvidenceRange = z.infer<typeof auditEvidenceQuery>;

/** Members by which a summary counts. */
export const AUDIT_SUMMARY_KINDS = ['user', 'action', 'table'] as const;
export type AuditSummaryKind = (typeof AUDIT_SUMMARY_KINDS)[number];

const AUDIT_SUMMARY_NAMES_MAX = 1000;
export const AUDIT_SUMMARY_NAMES_DEFAULT = 100;

export const auditSummaryQuery = z
  .strictObject({
    by: z
      .enum(AUDIT_SUMMARY_KINDS, { error: `by must be one of ${AUDIT_SUMMARY_KINDS.join(', ')}` })
      .describe('`table`: by the tables and views that queries read'),
    start: epochText('start').describe('Epoch milliseconds, inclusive'),
    end: epochText('end').describe(`Epoch milliseconds, exclusive, at most ${EVIDENCE_DAYS_MAX} days after start`),
    size: integerText('size', { min: 1, max: AUDIT_SUMMARY_NAMES_MAX })
      .optional()
      .describe(`Names to return. Default: ${AUDIT_SUMMARY_NAMES_DEFAULT}`),
  })
  .refine(isRange, RANGE_ERROR)
  .refine(({ start, end }) => end - start <= EVIDENCE_DAYS_MAX * DAY_MS, {
    error: `end must be at most ${EVIDENCE_DAYS_MAX} days after start`,
    path: ['end'],
  });
export type AuditSummaryInput = z.infer<typeof auditSummaryQuery>;

export const auditSummaryBody = z
  .object({
    by: z.enum(AUDIT_SUMMARY_KINDS),
    start: z
      .int()
      .describe(
        'Epoch milliseconds from which records were counted: later than in the request if older ones are not kept',
      ),
    end: z
      .int()
      .describe(
        'Epoch milliseconds before which records were counted. By table, `start` and `end` are those of whole hours',
      ),
    total: z.int().min(0).describe('Number of names'),
    limited: z.boolean().describe('True if there are more names than in `data`'),
    data: z
      .array(z.object({ name: z.string(), records: z.int().min(1) }))
      .describe(
        'Names with the number of their records, most records first. Names of tables are in lower case (ASCII)',
      ),
  })
  .meta({ id: 'AuditSummary' });
export type AuditSummary = z.infer<typeof auditSummaryBody>;

const DECIMAL = /^\d{1,15}$/;

export const auditStreamQuery = z.strictObject({
  ...filterFields,
  actions: actionListText('actions').optional().describe('Any of these actions, with commas between them'),
  exclude_actions: actionListText('exclude_actions')
    .optional()
    .describe('None of these actions, with commas between them'),
  after: z
    .string()
    .regex(DECIMAL, 'after must be a sequence number')
    .optional()
    .describe('Sequence number of the last known record; 0 starts with the first. Last-Event-ID takes precedence'),
});

export type AuditStreamInput = z.infer<typeof auditStreamQuery>;

export const auditCheckpointsQuery = z.strictObject({
  after: z.string().regex(DECIMAL, 'after must be the number of a checkpoint').optional(),
  size: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'size must be an integer from 1 to 1000')
    .transform(Number)
    .refine((value) => value <= 1000, 'size must be an integer from 1 to 1000')
    .meta({ type: 'integer', minimum: 1, maximum: 1000, pattern: undefined })
    .optional(),
});

export const auditCheckpointsBody = z
  .object({
    data: z.array(
      z.object({
        payload: z.string().describe('The signed JSON: tenant, number, sequence, hash, time and predecessor'),
        key_id: z.string(),
        signature: z.string().describe('Ed25519 (RFC 8032) over the payload, base64'),
      }),
    ),
    keys: z.array(
      z.object({ key_id: z.string(), public_key: z.string().describe('Ed25519 public key, 32 bytes in base64') }),
    ),
  })
  .meta({ id: 'AuditCheckpoints' });

/** Event of the audit stream. Its `id` is the sequence number. */
export const auditStreamEvent = z
  .looseObject({
    sequence: z.int().min(1),
    timestamp: z.int().describe('Epoch milliseconds of the action'),
    id: z.string(),
    record_id: z.string().nullable().describe('For an outcome: the record that it belongs to'),
    user: z.string(),
    action: z.string(),
    target: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    previous_hash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'SealedAuditRecord' });
