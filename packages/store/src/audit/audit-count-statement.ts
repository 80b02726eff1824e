import { type PreparedStatement, prepared } from '../database/transaction.ts';
import {
  type AuditFilter,
  addActionTerms,
  type Conditions,
  momentOf,
  parameter,
  planOf,
  rangeConditions,
  recordsOf,
  UNKNOWN_USER,
} from './audit-search-statements.ts';
import { windowEndOf, windowOf } from './audit-search-window.ts';

const HOUR_MS = 3_600_000;

interface CountStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  /** Set when one plan suits all values, because each part has exactly one index. The plan is then kept instead of made for each search. */
  readonly plan?: 'in-order' | 'in-order lookups';
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
  const { target, requestId, queryId, user, action, actions, excludedActions, readNames } = filter;
  if ([target, requestId, queryId, readNames].some((value) => value !== undefined)) return undefined;
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
  and l.tenant_id::text = ($1::uuid)::text
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
  const { from } = recordsOf(conditions, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, count(*)::text as total, null as "isAtLeast" from ${from}`;
  return { statement: prepared('audit_count', text), values: conditions.values };
};

/** Counts the matches of words in the first window of the log, because the whole log may take minutes. */
const windowCount = (tenantId: string, filter: AuditFilter, order: 'asc' | 'desc'): CountStatement => {
  const conditions = rangeConditions(tenantId, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, (select count(*) from ${windowOf(conditions, filter, order).from})::text as total,
      exists (${windowEndOf(conditions, filter, order)}) as "isAtLeast"`;
  const plan = planOf(filter);
  return { statement: prepared('audit_window_count', text), values: conditions.values, ...(plan && { plan }) };
};

/** Returns the parts of the range before and after its whole hours. */
export const edgesOf = (
  { start, end }: AuditFilter,
  hours: NonNullable<ReturnType<typeof wholeHours>>,
): AuditFilter[] => {
  const edges: AuditFilter[] = [];
  if (start !== undefined && hours.from !== start) edges.push({ start, end: hours.from });
  if (end !== undefined && hours.to !== end) edges.push({ start: hours.to, end });
  return edges;
};

/** Returns the one name that is the whole filter, apart from the range; undefined otherwise. */
function readNameOf(filter: AuditFilter): string | undefined {
  const { target, requestId, queryId, user, action, actions, excludedActions, readNames = [] } = filter;
  const others = [target, requestId, queryId, user, action, actions, excludedActions];
  return readNames.length === 1 && others.every((value) => value === undefined) ? readNames[0] : undefined;
}

/**
 * Entries of `audit_reads` that belong to a row which is not counted yet. They are found from the rows, because entries have no index of
 * their transactions. An outcome has the entries of its record. `join` adds to the rows `l`. With OFFSET, PostgreSQL looks for the entry of each
 * row; it would otherwise begin with all entries of the name.
 */
export const uncountedReads = (join = ''): string => `
  audit_sealer s, audit_log l
  cross join lateral audit_read_time($1, l.query_id, l.record_id, l.occurred) record (occurred) ${join}
  where ${UNCOUNTED} and l.metadata -> 'tables_read' is not null`;

/** Counts the entries of a name, with those of whole hours from the counts of the sealed ones. */
function readsCount(tenantId: string, filter: AuditFilter, readName: string): CountStatement {
  const hours = wholeHours(filter);
  const conditions: Conditions = { values: [tenantId, readName], terms: [] };
  const within = (range: AuditFilter, column: string): string => {
    const own: Conditions = { values: conditions.values, terms: [''] };
    addRange(own, column, range);
    return own.terms.join(' and ');
  };
  const entries = 'select count(*) from audit_reads r where r.tenant_id = $1 and r.name = $2::text';
  const edges = hours === undefined ? [filter] : edgesOf(filter, hours);
  const parts = edges.map((edge) => `(${entries}${within(edge, 'r.occurred')})`);
  if (hours !== undefined) {
    const inner = { start: hours.from, end: hours.to };
    parts.push(
      `(select coalesce(sum(records), 0) from audit_read_counts where tenant_id = $1 and name = $2::text${within(inner, 'hour')})`,
      `(select count(*) from ${uncountedReads()}${within(inner, 'record.occurred')} and exists (
        select from audit_reads r where r.tenant_id = $1 and r.name = $2::text and r.occurred = record.occurred
          and r.record_id = coalesce(l.record_id, l.id) and r.xact = l.xact offset 0))`,
    );
  }
  const text = `select pg_current_snapshot()::text as snapshot, (${parts.join(' + ')})::text as total, null as "isAtLeast"`;
  return { statement: prepared('audit_count_reads', text), values: conditions.values, plan: 'in-order lookups' };
}

/**
 * Counts the matching records and returns the current snapshot, in one statement. Whole hours come from the sealer's counts. Rows at the
 * edges of the range and rows that are not sealed yet are counted directly.
 */
export function countStatement(tenantId: string, filter: AuditFilter, order: 'asc' | 'desc'): CountStatement {
  if (filter.words !== undefined) return windowCount(tenantId, filter, order);
  const readName = readNameOf(filter);
  if (readName !== undefined) return readsCount(tenantId, filter, readName);
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
  const isOne = key.names.length === 1 && key.isExcluded !== true;
  const names = isOne ? parameter(conditions, key.names[0]) : `any (${parameter(conditions, key.names)}::text[])`;
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
      `select count(*) from audit_sealer s, audit_log l where ${UNCOUNTED} and l.record_id is null and ${isCounted(`${COUNT_NAMES[key.kind]} || ''`)}`,
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
  return { statement: prepared('audit_count', text), values: conditions.values, plan: 'in-order' };
}
