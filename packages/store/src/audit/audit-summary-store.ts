import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { countedNames, readTables, type SummaryQuery, wholeHoursAround } from './audit-summary-statements.ts';

interface AuditCounts {
  /** Names with the number of their records, most records first, then by name. */
  readonly names: readonly { readonly name: string; readonly records: number }[];
  /** Number of names, of which `names` has the first. */
  readonly total: number;
  /** Range of the counted records in epoch milliseconds. By table, it has whole hours. */
  readonly start: number;
  readonly end: number;
}

export interface AuditSummaryStore {
  /** Counts records by user or action, or statements by the tables that they read. Most of the numbers are the sealer's, so no record is read for them. */
  count(query: SummaryQuery): Promise<AuditCounts>;
}

interface NameRow {
  readonly name: string;
  readonly records: string;
  readonly total: string;
}

/** Creates the store that counts audit records by name. */
export function createAuditSummaryStore(database: Database): AuditSummaryStore {
  return {
    async count(asked) {
      const { tenantId, by } = asked;
      const query = by === 'table' ? wholeHoursAround(asked) : asked;
      const { text, values } = by === 'table' ? readTables(query) : countedNames(by, query);
      // The planner chooses how to read the counts: they may be millions.
      const scope = by === 'table' ? ({ tenantId, plan: 'in-order lookups' } as const) : { tenantId };
      const rows = await database.run<NameRow>(scope, prepared('audit_summary', text), values);
      return {
        names: rows.map(({ name, records }) => ({ name, records: Number(records) })),
        total: Number(rows[0]?.total ?? 0),
        start: query.start,
        end: query.end,
      };
    },
  };
}
