import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { countedNames, readTables, type SummaryQuery, tablesFrom } from './audit-summary-statements.ts';

interface AuditCounts {
  /** Names with the number of their records, most records first, then by name. */
  readonly names: readonly { readonly name: string; readonly records: number }[];
  /** Number of names, of which `names` has the first. */
  readonly total: number;
  /** Epoch milliseconds from which records were counted, if older ones of the range were not; otherwise undefined. */
  readonly countedFrom: number | undefined;
}

export interface AuditSummaryStore {
  /**
   * Counts records by user or action, from the sealer's counts of whole hours, or by the tables that queries read, from the newest 500,000 rows
   * of the range.
   */
  count(query: SummaryQuery): Promise<AuditCounts>;
}

interface NameRow {
  readonly name: string;
  readonly records: string;
  readonly total: string;
}

const toCounts = (rows: readonly NameRow[], countedFrom?: number): AuditCounts => ({
  names: rows.map(({ name, records }) => ({ name, records: Number(records) })),
  total: Number(rows[0]?.total ?? 0),
  countedFrom,
});

/** Creates the store that counts audit records by name. */
export function createAuditSummaryStore(database: Database): AuditSummaryStore {
  const run = async <R extends object>(
    tenantId: string,
    { text, values }: ReturnType<typeof countedNames>,
  ): Promise<R[]> =>
    await database.run<R>({ tenantId, plan: 'in-order' }, prepared('audit_summary', text), values);

  const findCut = async (query: SummaryQuery): Promise<number | undefined> => {
    const [row] = await run<{ occurredMs: string }>(query.tenantId, tablesFrom(query));
    return row && Number(row.occurredMs);
  };

  return {
    async count(query) {
      const { tenantId, by } = query;
      if (by !== 'table') return toCounts(await run<NameRow>(tenantId, countedNames(by, query)));
      const countedFrom = await findCut(query);
      const rows = await run<NameRow>(tenantId, readTables({ ...query, start: countedFrom ?? query.start }));
      return toCounts(rows, countedFrom);
    },
  };
}
