import { countStatement } from './audit-count-statement.ts';
import { type AuditFilter, matchingInRange, parameter } from './audit-search-statements.ts';
import type { Database } from './database.ts';
import { prepared, type Row } from './transaction.ts';

/** A record as it is read. */
export interface FoundRecord {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly user: string;
  readonly action: string;
  readonly target: string;
  /** JSON text of an object, as the database keeps it. */
  readonly metadata: string;
  /** The same of its query's outcome, where that is known. */
  readonly outcome: string | undefined;
  readonly requestId: string | null;
  readonly queryId: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Where a page ended: microseconds of the epoch, as text, and the id. */
export interface AuditPosition {
  readonly occurred: string;
  readonly id: string;
}

/** What a search saw when it began. */
export interface AuditView {
  /** `pg_snapshot`: later pages see the rows that it sees and no others. */
  readonly snapshot: string;
  readonly total: number;
}

export interface AuditPageOrder {
  readonly tenantId: string;
  readonly filter: AuditFilter;
  readonly snapshot: string;
  readonly order: 'asc' | 'desc';
  readonly size: number;
  readonly after?: AuditPosition | undefined;
}

export interface AuditPage {
  readonly records: readonly FoundRecord[];
  /** Where the next page begins; undefined when nothing is left. */
  readonly next: AuditPosition | undefined;
}

export interface AuditSearchStore {
  /** Counts what matches, by the counts of the sealer where they reach, and remembers what is visible now. */
  open(tenantId: string, filter: AuditFilter): Promise<AuditView>;
  /** A page costs the same however deep it lies. */
  page(order: AuditPageOrder): Promise<AuditPage>;
}

interface RecordRow extends Row {
  readonly id: string;
  /** Seconds of the epoch with six decimals. */
  readonly moment: string;
  readonly user_name: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: string;
  readonly request_id: string | null;
  readonly query_id: string | null;
  readonly session_id: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** A query may run for hours, and its host be dead for days; beyond this the later partitions are searched for the outcome. */
const OUTCOME_WITHIN_SECONDS = 172_800;

const microsecondsOf = ({ moment }: RecordRow): string => moment.replace('.', '');
const millisecondsOf = ({ moment }: RecordRow): number => Number(microsecondsOf({ moment } as RecordRow).slice(0, -3));

const recordOf = (row: RecordRow, outcome: string | undefined): FoundRecord => ({
  id: row.id,
  timestamp: millisecondsOf(row),
  user: row.user_name,
  action: row.action,
  target: row.target,
  metadata: row.metadata,
  outcome,
  requestId: row.request_id,
  queryId: row.query_id,
  sessionId: row.session_id,
  address: row.address,
  userAgent: row.user_agent,
});

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/**
 * The planner takes the conditions of row-level security and of the snapshot for far narrower than they are, and then sorts all that
 * there is rather than walk an index that has the order. Requests and queries have an index without it, for few rows.
 */
const IN_ORDER = 'set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off';

const pageStatement = ({ tenantId, filter, snapshot, order, size, after }: AuditPageOrder) => {
  const conditions = matchingInRange(tenantId, filter);
  conditions.terms.push(`pg_visible_in_snapshot(xact, ${parameter(conditions, snapshot)}::pg_snapshot)`);
  if (after !== undefined) {
    const position = `(${moment(parameter(conditions, after.occurred))}, ${parameter(conditions, after.id)}::uuid)`;
    conditions.terms.push(`(occurred, id) ${order === 'asc' ? '>' : '<'} ${position}`);
  }
  const limit = `${parameter(conditions, size + 1)}::int`;
  const text = `
    select id, extract(epoch from occurred)::text as moment, user_name, action, target, metadata::text as metadata, request_id,
      query_id, session_id, address, user_agent
    from audit_log where ${conditions.terms.join(' and ')}
    order by occurred ${order}, id ${order} limit ${limit}`;
  const isOrderedByIndex = filter.requestId === undefined && filter.queryId === undefined;
  return { text, values: conditions.values, isOrderedByIndex };
};

const OUTCOMES = `
  select record_id, metadata::text as metadata from audit_log
  where tenant_id = $1 and record_id = any ($2::uuid[]) and occurred >= ${moment('$3')}`;
const OUTCOMES_SOON = prepared(
  'audit_outcomes_soon',
  `${OUTCOMES} and occurred < ${moment('$4')} + ${OUTCOME_WITHIN_SECONDS} * interval '1 second'`,
);
const OUTCOMES_LATE = prepared(
  'audit_outcomes_late',
  `${OUTCOMES} and occurred >= ${moment('$4')} + ${OUTCOME_WITHIN_SECONDS} * interval '1 second'`,
);

const queriesAmong = (rows: readonly RecordRow[]): readonly RecordRow[] =>
  rows.filter(({ query_id: queryId, action }) => queryId !== null && action !== 'CANCEL_QUERY');

/** Every transaction below it is sealed. */
const SEALED_BELOW = prepared(
  'audit_sealed_below',
  `select coalesce(pg_snapshot_xmin(seen), '0'::xid8)::text as xmin from audit_sealer`,
);

export function createAuditSearchStore(database: Database): AuditSearchStore {
  type OutcomeRow = { record_id: string; metadata: string };

  const outcomesOf = async (tenantId: string, rows: readonly RecordRow[]): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const moments = rows.map(microsecondsOf).sort((a, b) => Number(a) - Number(b));
    for (const statement of [OUTCOMES_SOON, OUTCOMES_LATE]) {
      const missing = rows.map(({ id }) => id).filter((id) => !found.has(id));
      if (missing.length === 0) break;
      const values = [tenantId, missing, moments[0], moments.at(-1)];
      const outcomes = await database.run<OutcomeRow>({ tenantId }, statement, values);
      for (const outcome of outcomes) found.set(outcome.record_id, outcome.metadata);
    }
    return found;
  };

  return {
    async open(tenantId, filter) {
      const [sealed] = await database.run<{ xmin: string }>({ tenantId }, SEALED_BELOW, []);
      const { statement, values } = countStatement(tenantId, filter, sealed?.xmin ?? '0');
      const [row] = await database.run<{ snapshot: string; total: string }>({ tenantId }, statement, values);
      return { snapshot: row?.snapshot ?? '', total: Number(row?.total ?? 0) };
    },
    async page(order) {
      const { text, values, isOrderedByIndex } = pageStatement(order);
      const rows = await database.withTenant(order.tenantId, async (transaction) => {
        if (isOrderedByIndex) await transaction.query(IN_ORDER);
        return await transaction.query<RecordRow>(text, values);
      });
      const shown = rows.slice(0, order.size);
      const outcomes = await outcomesOf(order.tenantId, queriesAmong(shown));
      const last = shown.at(-1);
      return {
        records: shown.map((row) => recordOf(row, outcomes.get(row.id))),
        next:
          rows.length > order.size && last !== undefined ? { occurred: microsecondsOf(last), id: last.id } : undefined,
      };
    },
  };
}
