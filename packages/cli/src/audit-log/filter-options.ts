import type { ApiOperationTypes, AuditFilters } from '@sluice/client';
import { UsageError } from '../errors.ts';
import { parseTime, TIME_FORMS } from '../times/time.ts';

/** Options that choose records by their time. */
export const RANGE_OPTIONS = {
  since: { kind: 'text', value: 'TIME', meaning: `Written at this time or later: ${TIME_FORMS}.` },
  until: { kind: 'text', value: 'TIME', meaning: 'Written before this time, in the same forms.' },
} as const;

/** Options of the commands that choose records of the audit log, without those for their time. */
export const RECORD_OPTIONS = {
  user: { kind: 'text', value: 'NAME', meaning: 'Only records of this account: an e-mail or a client id.' },
  action: {
    kind: 'text',
    value: 'ACTION',
    meaning: 'Only this action, such as RUN_QUERY, or several with commas between them: LOGIN,LOGIN_FAILED.',
  },
  excludeAction: {
    kind: 'text',
    value: 'ACTION',
    meaning: 'Not this action, or none of several with commas between them: READ_CATALOG,READ_MARKETPLACE.',
  },
  text: {
    kind: 'text',
    value: 'WORDS',
    meaning:
      'Only records whose SQL, target and error message contain every word, in any case and with or without accents.',
  },
  target: { kind: 'text', value: 'NAME', meaning: 'Only records with this target.' },
  reads: {
    kind: 'text',
    value: 'TABLE',
    meaning: 'Only statements that read this table: catalog.schema.table, or a prefix that ends with . or *.',
  },
  queryId: { kind: 'text', value: 'ID', completes: 'query', meaning: 'Only records of this query.' },
  requestId: { kind: 'text', value: 'ID', meaning: 'Only records of this request.' },
} as const;

/** The same, with those for their time. */
export const FILTER_OPTIONS = { ...RECORD_OPTIONS, ...RANGE_OPTIONS } as const;

type Values<Options> = { readonly [Name in keyof Options]: string | undefined };
type Filter = Pick<NonNullable<ApiOperationTypes['exportAuditLogs']['body']>, 'advance_options' | 'start' | 'end'>;

interface TimeRange {
  readonly start?: number;
  readonly end?: number;
}

/**
 * Returns a range of time in epoch milliseconds.
 * @throws UsageError for a value that is not a time, and for an empty range
 */
export function readRange({ since, until }: Values<typeof RANGE_OPTIONS>): TimeRange {
  // One clock for both: otherwise `--since 1h --until 1h` could be a range of a millisecond.
  const now = Date.now();
  const start = since === undefined ? undefined : parseTime('--since', since, now);
  const end = until === undefined ? undefined : parseTime('--until', until, now);
  if (start !== undefined && end !== undefined && start >= end)
    throw new UsageError('--since must be before --until. With times ago: --since 7d --until 1d.');
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** Returns the names of a list of actions. The host rejects a name that it does not know. */
const actionsOf = (list: string): never[] => list.split(',').map((name) => name.trim().toUpperCase() as never);

/** Returns the filters of a request, without its range of time. */
export function readFilters(options: Values<typeof RECORD_OPTIONS>): AuditFilters {
  const { user, action, excludeAction, target, reads, queryId, requestId, text } = options;
  const [only, ...others] = action === undefined ? [] : actionsOf(action);
  return {
    ...(user === undefined ? {} : { user_name: user }),
    ...(only === undefined ? {} : others.length === 0 ? { action: only } : { actions: [only, ...others] }),
    ...(excludeAction === undefined ? {} : { exclude_actions: actionsOf(excludeAction) }),
    ...(target === undefined ? {} : { target }),
    ...(reads === undefined ? {} : { reads }),
    ...(queryId === undefined ? {} : { query_id: queryId }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(text === undefined ? {} : { text }),
  };
}

/**
 * Returns the filter of a request.
 * @throws UsageError as `readRange`
 */
export function readFilter(options: Values<typeof FILTER_OPTIONS>): Filter {
  const filters = readFilters(options);
  return { ...(Object.keys(filters).length === 0 ? {} : { advance_options: filters }), ...readRange(options) };
}
