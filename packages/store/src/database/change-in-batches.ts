import type { Database } from './database.ts';
import { prepared } from './transaction.ts';

interface BatchedChange {
  /** `delete from <table>`, or an update of a table that is not partitioned. */
  readonly change: string;
  readonly table: string;
  /** Condition that a changed row no longer meets. */
  readonly where: string;
  readonly values?: readonly unknown[];
  /** Default 10,000. Fewer for rows with many dependent ones. */
  readonly rowsMax?: number;
}

const ROWS_MAX = 10_000;

/**
 * Changes the matching rows of all tenants, at most `rowsMax` in one transaction: after an outage there can be millions, which one
 * statement could not change within its time limit, and the next attempt would fail again.
 */
export async function changeInBatches(
  database: Pick<Database, 'run'>,
  { change, table, where, values = [], rowsMax = ROWS_MAX }: BatchedChange,
): Promise<void> {
  const statement = prepared(
    `batch_of_${table}`,
    `with changed as (
       ${change} where ctid = any (array(select ctid from ${table} where ${where} limit ${rowsMax})) returning 1
     )
     select count(*)::int as count from changed`,
  );
  for (;;) {
    const [changed] = await database.run<{ count: number }>('every-tenant', statement, values);
    if ((changed?.count ?? 0) < rowsMax) return;
  }
}
