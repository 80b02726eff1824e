/** Times that a user chooses with one click, in milliseconds before now. */
export const RANGE_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const;

/** `all` has no limit, `custom` has `start` and `end`. */
export const AUDIT_RANGES = ['all', 'hour', 'day', 'week', 'month', 'custom'] as const;
export type AuditRange = (typeof AUDIT_RANGES)[number];

/** The record at which a page of a search begins: the next record in the direction is the first one shown. */
export interface AuditPosition {
  readonly direction: 'older' | 'newer';
  /** Epoch milliseconds of the record. */
  readonly timestamp: number;
  readonly id: string;
}

/**
 * Actions that pages of the console cause when they are opened, besides what the user does on them: lists of tables, datamaps, domains and
 * marketplace items.
 */
export const PAGE_LOADS = ['READ_CATALOG', 'READ_MARKETPLACE', 'READ_DOMAINS', 'SEARCH_DATAMAPS'] as const;

/** Filters of the audit log, which the address of the page contains. */
export interface AuditSearch {
  readonly user: string | undefined;
  /** Any of these; empty: all. */
  readonly actions: readonly string[];
  /** Full name of a table or view that was read, or a prefix of names that ends in `.` or `*`. */
  readonly reads: string | undefined;
  /** Words of SQL, target and error message. */
  readonly text: string | undefined;
  readonly target: string | undefined;
  readonly requestId: string | undefined;
  readonly queryId: string | undefined;
  /** Whether `PAGE_LOADS` are shown too. A search for actions, a table, a query or a request has none to leave out. */
  readonly hasPageLoads: boolean;
  readonly range: AuditRange;
  /** Epoch milliseconds, inclusive. Only of the range `custom`. */
  readonly start: number | undefined;
  /** Epoch milliseconds, exclusive. Only of the range `custom`. */
  readonly end: number | undefined;
  /** Undefined: the newest records. */
  readonly position: AuditPosition | undefined;
}

export const NO_AUDIT_SEARCH: AuditSearch = {
  user: undefined,
  actions: [],
  reads: undefined,
  text: undefined,
  target: undefined,
  requestId: undefined,
  queryId: undefined,
  hasPageLoads: false,
  range: 'all',
  start: undefined,
  end: undefined,
  position: undefined,
};

/** Members of the address, by the fields of a search. */
const TEXT_NAMES = {
  user: 'user',
  reads: 'reads',
  text: 'text',
  target: 'target',
  requestId: 'request',
  queryId: 'query',
} as const;
const TEXTS = Object.keys(TEXT_NAMES) as (keyof typeof TEXT_NAMES)[];

const POSITION = /^(older|newer)~(\d{1,15})~([0-9a-f-]{36})$/;
/** An action, also one of a later release. */
const ACTION = /^[A-Z_]{1,100}$/;
const MILLISECONDS = /^\d{1,15}$/;

const isRange = (text: string | null): text is AuditRange => AUDIT_RANGES.some((range) => range === text);

function readPosition(text: string | null): AuditPosition | undefined {
  const [, direction, timestamp, id] = POSITION.exec(text ?? '') ?? [];
  if (direction === undefined || id === undefined) return undefined;
  return { direction: direction === 'newer' ? 'newer' : 'older', timestamp: Number(timestamp), id };
}

/** Reads the search from the query string of the address. What is not valid counts as absent. */
export function readAuditSearch(queryString: string): AuditSearch {
  const values = new URLSearchParams(queryString);
  const range = values.get('range');
  const time = (name: string): number | undefined => {
    const text = values.get(name) ?? '';
    return MILLISECONDS.test(text) ? Number(text) : undefined;
  };
  const texts = Object.fromEntries(
    TEXTS.map((name) => [name, values.get(TEXT_NAMES[name])?.toWellFormed().replaceAll('\0', '') || undefined]),
  );
  const isCustom = range === 'custom';
  return {
    ...NO_AUDIT_SEARCH,
    ...texts,
    actions: [...new Set((values.get('action') ?? '').split(',').filter((name) => ACTION.test(name)))],
    hasPageLoads: values.get('loads') === 'shown',
    range: isRange(range) ? range : 'all',
    start: isCustom ? time('start') : undefined,
    end: isCustom ? time('end') : undefined,
    position: readPosition(values.get('at')),
  };
}

/** Filters of a link to the log. One action may be given alone. */
export interface AuditLink extends Partial<AuditSearch> {
  readonly action?: string;
}

/** Returns the path of the page with a search. */
export function auditPath(search: AuditLink, view: 'records' | 'live' = 'records'): string {
  const values = new URLSearchParams();
  if (view !== 'records') values.set('view', view);
  for (const name of TEXTS) {
    const text = search[name];
    if (text !== undefined && text !== '') values.set(TEXT_NAMES[name], text);
  }
  const { action, actions = action === undefined ? [] : [action], hasPageLoads = false } = search;
  const { range = 'all', start, end, position } = search;
  if (actions.length > 0) values.set('action', actions.join(','));
  if (hasPageLoads) values.set('loads', 'shown');
  if (range !== 'all') values.set('range', range);
  if (range === 'custom' && start !== undefined) values.set('start', String(start));
  if (range === 'custom' && end !== undefined) values.set('end', String(end));
  if (position !== undefined) values.set('at', `${position.direction}~${position.timestamp}~${position.id}`);
  const query = values.toString();
  return query === '' ? '/audit' : `/audit?${query}`;
}

/** The filter of a search as the host takes it. */
export interface AuditRequestFilter {
  readonly advance_options?: Readonly<Record<string, string | string[]>>;
  readonly start?: number;
  readonly end?: number;
}

/** Returns whether a search leaves out what pages read when they are opened. A search for a table finds statements only. */
export const hidesPageLoads = ({ hasPageLoads, actions, reads, requestId, queryId }: AuditSearch): boolean =>
  !hasPageLoads && actions.length === 0 && [reads, requestId, queryId].every((value) => value === undefined);

/** Returns the filter of a search, without its position. `nowMs` is the end of the ranges before now. */
export function filterOf(search: AuditSearch, nowMs: number): AuditRequestFilter {
  const { user, actions, reads, text, target, requestId, queryId, range } = search;
  const given = Object.entries({
    user_name: user,
    actions: actions.length === 0 ? undefined : [...actions],
    exclude_actions: hidesPageLoads(search) ? [...PAGE_LOADS] : undefined,
    reads,
    text,
    target,
    request_id: requestId,
    query_id: queryId,
  });
  const options = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const span = range === 'all' || range === 'custom' ? undefined : RANGE_MS[range];
  const start = span === undefined ? search.start : nowMs - span;
  return {
    ...(options.length === 0 ? {} : { advance_options: Object.fromEntries(options) }),
    ...(start === undefined ? {} : { start }),
    ...(search.end === undefined ? {} : { end: search.end }),
  };
}

/** Returns the number of filters of a search, without its position and page loads. */
export const countFilters = (search: AuditSearch): number =>
  [search.range !== 'all', search.actions.length > 0, ...TEXTS.map((name) => search[name] !== undefined)].filter(
    Boolean,
  ).length;
