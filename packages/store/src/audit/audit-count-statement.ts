import { type PreparedStatement, prepared } from '../database/transaction.ts';
import {
  type AuditFilter,
  addActionTerms,
  type Conditions,
  momentOf,
  parameter,
  rangeConditions,
  recordsOf,
  UNKNOWN_USER,
} from './audit-search-statements.ts';
import { windowEndOf, windowOf } from './audit-search-window.ts';

const HOUR_MS = 3_600_000;

interface CountStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  /** Whether one plan suits all values, because each part has exactly one index. The plan is then kept instead of made for each search. */
  readonly isPlannedOnce: boolean;
}

/** Row of a count. */
export interface CountRow {
  readonly snapshot: string;
  readonly total: string;
  /** Null if every record was searched. */
  readonly isAtLeast: boolean | null;
}

/** Kinds of counts, with the expression for the name of a row. */
export const COUNT_NAMES = { all: "''", user: 'l.user_name', action: 'l.action' } as const;

interface CountKey {
  readonly kind: keyof typeof COUNT_NAMES;
  readonly names: readonly string[];
  /** The records of all other names are counted. */
  readonly isExcluded?: boolean;
}

/** Returns the key of the sealer's counts that match the filter exactly; undefined when there are none. */
const countKeyOf = (filter: AuditFilter): CountKey | undefined => {
  const { target, requestId, queryId, user, action, actions, excludedActions } = filter;
  if (target !== undefined || requestId !== undefined || queryId !== undefined) return undefined;
  const names = action === undefined ? actions : [action];
  if (user !== undefined)
    return names === undefined && excludedActions === undefined ? { kind: 'user', names: [user] } : undefined;
  if (names !== undefined) return { kind: 'action', names };
  if (excludedActions !== undefined) return { kind: 'action', names: excludedActions, isExcluded: true };
  return { kind: 'all', names: [''] };
};

/** Returns the whole hours within a range; undefined when there are none. */
export const wholeHours = ({ start, end }: AuditFilter) => {
  const from = start === undefined ? undefined : Math.ceil(start / HOUR_MS) * HOUR_MS;
  const to = end === undefined ? undefined : Math.floor(end / HOUR_MS) * HOUR_MS;
  return from !== undefined && to !== undefined && from >= to ? undefined : { from, to };
};

/**
 * Matches rows that the sealer has not counted yet. They are few, but the planner cannot know that. To make it use the index of
 * transactions, tenant and name are compared by expressions that have no index.
 */
export const UNCOUNTED = `
  l.xact >= (select coalesce(pg_snapshot_xmin(seen), '0'::xid8) from audit_sealer)
  and l.tenant_id::text = ($1::uuid)::text and l.record_id is null
  and (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
  and not coalesce(pg_visible_in_snapshot(l.xact, s.pending)
    and (l.xact, l.occurred, l.id) <= (s.after_xact, s.after_occurred, s.after_id), false)`;

/** Adds the conditions of a range of time. */
export const addRange = (conditions: Conditions, column: string, { start, end }: AuditFilter): void => {
  if (start !== undefined) conditions.terms.push(`${column} >= ${momentOf(parameter(conditions, start))}`);
  if (end !== undefined) conditions.terms.push(`${column} < ${momentOf(parameter(conditions, end))}`);
};

/** Counts every matching row. */
const directCount = (tenantId: string, filter: AuditFilter): CountStatement => {
  const conditions = rangeConditions(tenantId, filter);
  addActionTerms(conditions, filter);
  const records = recordsOf(conditions, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, count(*)::text as total, null as "isAtLeast" from ${records}`;
  return { statement: prepared('audit_count', text), values: conditions.values, isPlannedOnce: false };
};

/** Counts the matches of words in the first window of the log, because the whole log may take minutes. */
const windowCount = (tenantId: string, filter: AuditFilter, order: 'asc' | 'desc'): CountStatement => {
  const conditions = rangeConditions(tenantId, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, (select count(*) from ${windowOf(conditions, filter, order)})::text as total,
      exists (${windowEndOf(conditions, filter, order)}) as "isAtLeast"`;
  const isPlannedOnce = filter.requestId === undefined && filter.queryId === undefined;
  return { statement: prepared('audit_window_count', text), values: conditions.values, isPlannedOnce };
};

/** Returns the parts of the range before and after its whole hours. */
export const edgesOf = ({ start, end }: AuditFilter, hours: NonNullable<ReturnType<typeof wholeHours>>): AuditFilter[] => {
  const edges: AuditFilter[] = [];
  if (start !== undefined && hours.from !== start) edges.push({ start, end: hours.from });
  if (end !== undefined && hours.to !== end) edges.push({ start: hours.to, end });
  return edges;
};

/**
 * Counts the matching records and returns the current snapshot, in one statement. Whole hours come from the sealer's counts. Rows at the
 * edges of the range and rows that are not sealed yet are counted directly.
 */
export function countStatement(tenantId: string, filter: AuditFilter, order: 'asc' | 'desc'): CountStatement {
  if (filter.words !== undefined) return windowCount(tenantId, filter, order);
  const key = countKeyOf(filter);
  const hours = wholeHours(filter);
  if (key === undefined || hours === undefined) return directCount(tenantId, filter);
  const conditions: Conditions = { values: [tenantId], terms: [] };
  const part = (text: string, range: AuditFilter, column: string): string => {
    const own: Conditions = { values: conditions.values, terms: [] };
    addRange(own, column, range);
    return `(${[text, ...own.terms].join(' and ')})`;
  };
  const inner = { start: hours.from, end: hours.to };
  const kind = parameter(conditions, key.kind);
  const [only, ...others] = key.names;
  const isOne = others.length === 0 && key.isExcluded !== true;
  const names = isOne ? parameter(conditions, only) : `any (${parameter(conditions, key.names)}::text[])`;
  const isCounted = (name: string) => (key.isExcluded === true ? `not (${name} = ${names})` : `${name} = ${names}`);
  const counted = 'select coalesce(sum(records), 0) from audit_counts where tenant_id = $1';
  const parts = [
    part(`${counted} and kind = ${kind} and name = ${names}`, inner, 'hour'),
    ...edgesOf(filter, hours).map((edge) =>
      part(
        `select count(*) from audit_log l where tenant_id = $1 and record_id is null and ${isCounted(COUNT_NAMES[key.kind])}`,
        edge,
        'occurred',
      ),
    ),
    part(
      `select count(*) from audit_sealer s, audit_log l where ${UNCOUNTED} and ${isCounted(`${COUNT_NAMES[key.kind]} || ''`)}`,
      inner,
      'occurred',
    ),
  ];
  if (key.isExcluded === true) parts[0] = `${part(`${counted} and kind = 'all'`, inner, 'hour')} - ${parts[0]}`;
  const { user, userDigest } = filter;
  if (userDigest !== undefined && user !== UNKNOWN_USER) {
    const digest = parameter(conditions, userDigest);
    const unknown = `select count(*) from audit_log where tenant_id = $1 and record_id is null and target = ${digest} and user_name = '${UNKNOWN_USER}'`;
    parts.push(part(unknown, filter, 'occurred'));
  }
  const text = `select pg_current_snapshot()::text as snapshot, (${parts.join(' + ')})::text as total, null as "isAtLeast"`;
  return { statement: prepared('audit_count', text), values: conditions.values, isPlannedOnce: true };
}
