import { parseTableName } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';

/** Tables that the queries of an item read, and what the catalog knows about them. */
export interface ReadTables {
  /** Full names, each once. Null: a datamap does not say what it reads, or no longer exists. */
  readonly names: readonly string[] | null;
  /** Number of tables that the catalog has, also of those that are missing by now. */
  readonly known: number;
  /** Number of tables that the last harvest did not find. */
  readonly missing: number;
  /** Time at which the catalogs of the tables were last listed; the oldest of several. */
  readonly seenTs: number | null;
}

/** Reads what an item depends on. */
export interface ItemTables {
  /** Returns the tables that the queries of an item read. */
  tablesOf(itemId: string): Promise<ReadTables>;
}

const READS = `
  select coalesce(bool_or(d.fact_id is null or (d.sql is not null and d.reads is null)), true) as is_unknown,
    coalesce(array_agg(distinct r.table_name) filter (where r.table_name is not null), '{}') as names
  from marketplace_queries q
  left join datamaps d on d.tenant_id = q.tenant_id and d.fact_id = q.datamap_id
  left join lateral unnest(d.reads) as r (table_name) on true
  where q.tenant_id = $1 and q.item_id = $2`;

const STATES = `
  select count(*)::int as known, count(*) filter (where t.absent_since is not null)::int as missing,
    floor(extract(epoch from min(c.harvested)) * 1000)::float8 as seen
  from unnest($2::text[], $3::text[], $4::text[]) as n (catalog_name, schema_name, name)
  join catalog_tables t on t.tenant_id = $1 and t.catalog_name = n.catalog_name and t.schema_name = n.schema_name and t.name = n.name
  join catalogs c on c.tenant_id = t.tenant_id and c.name = t.catalog_name`;

interface ReadsRow {
  readonly is_unknown: boolean;
  readonly names: string[];
}

interface StatesRow {
  readonly known: number;
  readonly missing: number;
  readonly seen: number | null;
}

export const createItemTables = (transaction: Transaction, tenantId: string): ItemTables => ({
  async tablesOf(itemId) {
    const [reads] = await transaction.query<ReadsRow>(READS, [tenantId, itemId]);
    const names = reads?.names ?? [];
    const parts = names.flatMap((name) => parseTableName(name) ?? []);
    const columns = [
      parts.map(({ catalog }) => catalog),
      parts.map(({ schema }) => schema),
      parts.map(({ name }) => name),
    ];
    const [states] = await transaction.query<StatesRow>(STATES, [tenantId, ...columns]);
    return {
      names: reads === undefined || reads.is_unknown ? null : names,
      known: states?.known ?? 0,
      missing: states?.missing ?? 0,
      seenTs: states?.seen ?? null,
    };
  },
});
