import { countStatement } from './audit-count-statement.ts';
import { type AuditPageOrder, type AuditPosition, type PageRow, pageStatement } from './audit-page-statement.ts';
import type { AuditFilter } from './audit-search-statements.ts';
import type { Database } from './database.ts';
import { prepared } from './transaction.ts';

/** What a search saw when it began. */
export interface AuditView {
  /** `pg_snapshot`: later pages see the rows that it sees and no others. */
  readonly snapshot: string;
  readonly total: number;
}

export interface AuditPage {
  /** The JSON text of each record, as the contract has it. */
  readonly records: readonly string[];
  /** Where the next page begins; undefined when nothing is left. */
  readonly next: AuditPosition | undefined;
}

export interface AuditSearchStore {
  /** Counts what matches, by the counts of the sealer where they reach, and remembers what is visible now. */
  open(tenantId: string, filter: AuditFilter): Promise<AuditView>;
  /** A page costs the same however deep it lies. */
  page(order: AuditPageOrder): Promise<AuditPage>;
}

/** Every transaction below it is sealed. */
const SEALED_BELOW = prepared(
  'audit_sealed_below',
  `select coalesce(pg_snapshot_xmin(seen), '0'::xid8)::text as xmin from audit_sealer`,
);

const microsecondsOf = ({ moment }: PageRow): string => moment.replace('.', '');

const recordText = (row: PageRow): string => `{"timestamp":${microsecondsOf(row).slice(0, -3)}${row.rest}`;

const positionOf = (row: PageRow): AuditPosition => ({
  occurred: microsecondsOf(row),
  id: (JSON.parse(recordText(row)) as { id: string }).id,
});

export function createAuditSearchStore(database: Database): AuditSearchStore {
  const rowsOf = async (order: AuditPageOrder, outcomes: 'soon' | 'ever'): Promise<PageRow[]> => {
    const { statement, values } = pageStatement(order, outcomes);
    const { tenantId, filter } = order;
    // Requests and queries have an index without the order, for few rows.
    const isInOrder = filter.requestId === undefined && filter.queryId === undefined;
    const scope = isInOrder ? ({ tenantId, plan: 'in-order' } as const) : { tenantId };
    const found = await database.run<PageRow>(scope, statement, values);
    if (outcomes === 'soon' && found.some(({ unsettled }) => unsettled)) return await rowsOf(order, 'ever');
    const rows = new Array<PageRow>(found.length);
    for (const row of found) rows[Number(row.place) - 1] = row;
    return rows;
  };

  return {
    async open(tenantId, filter) {
      const [sealed] = await database.run<{ xmin: string }>({ tenantId }, SEALED_BELOW, []);
      const { statement, values } = countStatement(tenantId, filter, sealed?.xmin ?? '0');
      const [row] = await database.run<{ snapshot: string; total: string }>({ tenantId }, statement, values);
      return { snapshot: row?.snapshot ?? '', total: Number(row?.total ?? 0) };
    },
    async page(order) {
      const rows = await rowsOf(order, 'soon');
      const shown = rows.slice(0, order.size);
      const last = shown.at(-1);
      return {
        records: shown.map(recordText),
        next: rows.length > order.size && last !== undefined ? positionOf(last) : undefined,
      };
    },
  };
}
