import {
  type AuditFilter,
  addActionTerms,
  type Conditions,
  isReadByAction,
  microseconds,
  type OrderColumns,
  type RecordConditions,
  type RecordSource,
  recordsOf,
} from './audit-search-statements.ts';
import { textCondition } from './audit-text-search.ts';

/**
 * Records that one page of a search reads at most, if a part of its filter has no index. The page ends there, with the matches so far, and the next
 * one continues, so that a rare match in a large log takes several short statements and not one of minutes.
 */
const WINDOW_RECORDS = 20_000;
/** Stored metadata that it reads at most: SQL has up to 256 KiB, which takes a thousand times as long to search as usual SQL. */
const WINDOW_BYTES = 32 * 1024 * 1024;

const WITHIN = [`place <= ${WINDOW_RECORDS}`, `bytes_before < ${WINDOW_BYTES}`];

type Direction = 'asc' | 'desc';

/** Returns whether a part of the filter has no index, so that a page reads a window of the log. */
export const hasWindow = (filter: AuditFilter): boolean =>
  filter.words !== undefined ||
  filter.excludedActions !== undefined ||
  (filter.actions !== undefined && !isReadByAction(filter));

/** Columns of the order of the records of a window, whichever index they come from. */
const WINDOW_COLUMNS = { at: 'window_at', id: 'window_id' } as const;

/** Records of the part of the filter that has indexes, at most one more than the window, with the size of those before each. */
function measured(conditions: RecordConditions, filter: AuditFilter, direction: Direction): string {
  const inOrder = ({ at, id }: OrderColumns) => `order by ${at} ${direction}, ${id} ${direction}`;
  const limited = (columns: OrderColumns) => `${inOrder(columns)} limit ${WINDOW_RECORDS + 1}`;
  const { from, order } = recordsOf(conditions, filter, limited);
  return `(
    select *, row_number() over log as place,
      coalesce(sum(pg_column_size(metadata)) over (log rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from (
      select audit_log.*, ${order.at} as ${WINDOW_COLUMNS.at}, ${order.id} as ${WINDOW_COLUMNS.id} from ${from} ${limited(order)}
    ) audit_log
    window log as (${inOrder(WINDOW_COLUMNS)})
  )`;
}

/** Returns the source of the records within the window from the begin of the conditions on that match the whole filter. */
export function windowOf(conditions: RecordConditions, filter: AuditFilter, direction: Direction): RecordSource {
  const records = measured(conditions, filter, direction);
  const own: Conditions = { values: conditions.values, terms: [] };
  const { actions, excludedActions, words } = filter;
  addActionTerms(own, { excludedActions, actions: isReadByAction(filter) ? undefined : actions });
  if (words !== undefined)
    own.terms.push(textCondition(own, words, { row: 'audit_log', snapshot: conditions.snapshot }));
  return { from: `${records} audit_log where ${[...WITHIN, ...own.terms].join(' and ')}`, order: WINDOW_COLUMNS };
}

/** Returns the query of the first record after the window: its time in microseconds since the epoch, and its id. No row: the log ends before. */
export const windowEndOf = (conditions: RecordConditions, filter: AuditFilter, direction: Direction): string => `
  select ${microseconds('occurred')} as occurred, id from ${measured(conditions, filter, direction)} audit_log
  where place > ${WINDOW_RECORDS} or bytes_before >= ${WINDOW_BYTES} order by place limit 1`;
