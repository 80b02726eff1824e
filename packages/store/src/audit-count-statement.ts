import {
  type AuditFilter,
  type Conditions,
  matching,
  matchingInRange,
  momentOf,
  parameter,
} from './audit-search-statements.ts';
import { type PreparedStatement, prepared } from './transaction.ts';

const HOUR_MS = 3_600_000;

export interface CountStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
}

/** Which of the sealer's counts are of exactly what the filter takes; undefined when none is. */
const countedAs = (filter: AuditFilter): { readonly kind: string; readonly name: string } | undefined => {
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

/** A row that the sealer has not counted yet. */
const UNCOUNTED = `
  (s.seen is null or not pg_visible_in_snapshot(l.xact, s.seen))
  and not coalesce(pg_visible_in_snapshot(l.xact, s.pending)
    and (l.xact, l.occurred, l.id) <= (s.after_xact, s.after_occurred, s.after_id), false)`;

/** Conditions of a range of time on a column, in the order of the bounds. */
const within = (conditions: Conditions, column: string, { start, end }: AuditFilter): void => {
  if (start !== undefined) conditions.terms.push(`${column} >= ${momentOf(parameter(conditions, start))}`);
  if (end !== undefined) conditions.terms.push(`${column} < ${momentOf(parameter(conditions, end))}`);
};

const direct = (tenantId: string, filter: AuditFilter): CountStatement => {
  const { terms, values } = matchingInRange(tenantId, filter);
  const text = `
    select pg_current_snapshot()::text as snapshot, count(*)::text as total from audit_log where ${terms.join(' and ')}`;
  return { statement: prepared('audit_count', text), values };
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
 * the edges of the range, and those that are not sealed yet, are counted themselves. `sealedBelow`, of a statement before, is only
 * there so that the planner knows how few the unsealed are.
 */
export function countStatement(tenantId: string, filter: AuditFilter, sealedBelow: string): CountStatement {
  const counted = countedAs(filter);
  const hours = wholeHours(filter);
  if (counted === undefined || hours === undefined) return direct(tenantId, filter);
  const { start: _start, end: _end, ...equalities } = filter;
  const conditions = matching(tenantId, equalities);
  const rows = `from audit_log l where ${conditions.terms.join(' and ')}`;
  const part = (text: string, range: AuditFilter, column: string): string => {
    const own: Conditions = { values: conditions.values, terms: [] };
    within(own, column, range);
    return `(${text}${own.terms.map((term) => ` and ${term}`).join('')})`;
  };
  const inner = { start: hours.from, end: hours.to };
  const kind = `kind = ${parameter(conditions, counted.kind)} and name = ${parameter(conditions, counted.name)}`;
  const parts = [
    part(`select coalesce(sum(records), 0) from audit_counts where tenant_id = $1 and ${kind}`, inner, 'hour'),
    ...edgesOf(filter, hours).map((edge) => part(`select count(*) ${rows}`, edge, 'occurred')),
    part(
      `select count(*) from audit_sealer s, audit_log l where ${conditions.terms.join(' and ')}
        and l.xact >= ${parameter(conditions, sealedBelow)}::xid8 and ${UNCOUNTED}`,
      inner,
      'occurred',
    ),
  ];
  const text = `select pg_current_snapshot()::text as snapshot, (${parts.join(' + ')})::text as total`;
  return { statement: prepared('audit_count', text), values: conditions.values };
}
