import { type PreparedStatement, prepared } from '../database/transaction.ts';
import {
  type AuditFilter,
  type Conditions,
  matchingInRange,
  momentOf,
  parameter,
  recordsOf,
  UNKNOWN_USER,
} from './audit-search-statements.ts';

const HOUR_MS = 3_600_000;

export interface CountStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  /** Whether one plan is right for all values, so that nobody waits for another: every part of it has one index. */
  readonly isPlannedOnce: boolean;
}

/** Kinds of counts, and what of a row their name is. */
const COUNTED = { all: "''", user: 'l.user_name', action: 'l.action' } as const;

interface Counted {
  readonly kind: keyof typeof COUNTED;
  readonly name: string;
}

/** Which of the sealer's counts are of exactly what the filter takes; undefined when none is. */
const countedAs = (filter: AuditFilter): Counted | undefined => {
  const { target, requestId, queryId, user, action } = filter;
  if (target !== undefined || requestId !== undefined || queryId !== undefined) return undefined;
  if (user !== undefined) return action === undefined ? { kind: 'user', name: user } : undefined;
  return action === undefined ? { kind: 'all', name: '' } : { kind: 'action', name: action };
};

/** The whole hours within a range; undefined when there is none. */
const wholeHours = ({ start, end }: AuditFilter) => {
  const from = start === undefined ? undefined : Math.ceil(start / HOUR_MS) * HOUR_MS;
  const to = end === undefined ? undefined : Math.floor(end / HOUR_MS) * HOUR_MS;
  return from !== undefined && to !== undefined && from >= to ? undefined : { from, to };
};

/**
 * A row that the sealer has not counted yet. All of them are of transactions from one on. The planner cannot know how few they are, so
 * no index but that of transactions is left to it: tenant, and name, are compared in a way that none has.
 */
const UNCOUNTED = `
  l.xact >= (select coalesce(pg_snapshot_xmin(seen), '0'::xid8) from audit_sealer)
  and l.tenant_id::text = ($1::uuid)::text and l.record_id is null
  and (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
  and not coalesce(pg_visible_in_snapshot(l.xact, s.pending)
    and (l.xact, l.occurred, l.id) <= (s.after_xact, s.after_occurred, s.after_id), false)`;

/** Conditions of a range of time on a column, in the order of the bounds. */
const within = (conditions: Conditions, column: string, { start, end }: AuditFilter): void => {
  if (start !== undefined) conditions.terms.push(`${column} >= ${momentOf(parameter(conditions, start))}`);
  if (end !== undefined) conditions.terms.push(`${column} < ${momentOf(parameter(conditions, end))}`);
};

const direct = (tenantId: string, filter: AuditFilter): CountStatement => {
  const conditions = matchingInRange(tenantId, filter);
  const records = recordsOf(conditions, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, count(*)::text as total from ${records}`;
  return { statement: prepared('audit_count', text), values: conditions.values, isPlannedOnce: false };
};

/** The edges of the range that are no whole hours. */
const edgesOf = ({ start, end }: AuditFilter, hours: NonNullable<ReturnType<typeof wholeHours>>): AuditFilter[] => {
  const edges: AuditFilter[] = [];
  if (start !== undefined && hours.from !== start) edges.push({ start, end: hours.from });
  if (end !== undefined && hours.to !== end) edges.push({ start: hours.to, end });
  return edges;
};

/**
 * What matches at this moment, and the snapshot of the moment, in one statement. Whole hours come from the sealer's counts; rows at
 * the edges of the range, and those that are not sealed yet, are counted themselves.
 */
export function countStatement(tenantId: string, filter: AuditFilter): CountStatement {
  const counted = countedAs(filter);
  const hours = wholeHours(filter);
  if (counted === undefined || hours === undefined) return direct(tenantId, filter);
  const conditions: Conditions = { values: [tenantId], terms: [] };
  const part = (text: string, range: AuditFilter, column: string): string => {
    const own: Conditions = { values: conditions.values, terms: [] };
    within(own, column, range);
    return `(${[text, ...own.terms].join(' and ')})`;
  };
  const inner = { start: hours.from, end: hours.to };
  const [kind, name] = [parameter(conditions, counted.kind), parameter(conditions, counted.name)];
  const parts = [
    part(
      `select coalesce(sum(records), 0) from audit_counts where tenant_id = $1 and kind = ${kind} and name = ${name}`,
      inner,
      'hour',
    ),
    ...edgesOf(filter, hours).map((edge) =>
      part(
        `select count(*) from audit_log l where tenant_id = $1 and record_id is null and ${COUNTED[counted.kind]} = ${name}`,
        edge,
        'occurred',
      ),
    ),
    part(
      `select count(*) from audit_sealer s, audit_log l where ${UNCOUNTED} and ${COUNTED[counted.kind]} || '' = ${name}`,
      inner,
      'occurred',
    ),
  ];
  const { user, userDigest } = filter;
  if (userDigest !== undefined && user !== UNKNOWN_USER) {
    const digest = parameter(conditions, userDigest);
    const unknown = `select count(*) from audit_log where tenant_id = $1 and record_id is null and target = ${digest} and user_name = '${UNKNOWN_USER}'`;
    parts.push(part(unknown, filter, 'occurred'));
  }
  const text = `select pg_current_snapshot()::text as snapshot, (${parts.join(' + ')})::text as total`;
  return { statement: prepared('audit_count', text), values: conditions.values, isPlannedOnce: true };
}
