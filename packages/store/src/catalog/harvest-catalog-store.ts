import { createHash, randomUUID } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import type { HarvestLease, HarvestPosition } from './harvest-run-store.ts';
import * as statements from './harvest-statements.ts';

interface HarvestedTable {
  readonly schema: string;
  readonly name: string;
  readonly type: 'TABLE' | 'VIEW';
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Source of catalogs, for their records. */
interface HarvestSource {
  readonly vendorName: string;
  readonly location: string;
}

/** Tables of one catalog by name: those after `after`, up to the last one in `tables`. An empty list reaches to the end. */
interface HarvestPage {
  readonly catalog: string;
  readonly after: HarvestPosition | undefined;
  readonly tables: readonly HarvestedTable[];
  /** Number of names that cannot be stored and were left out. */
  readonly skipped: number;
}

/**
 * Tables of an engine, stored as rows. Each call is a transaction that writes only differences, and only while the lease is valid;
 * otherwise it throws `conflict`. Tables that disappeared are marked absent and keep their descriptive metadata.
 */
export interface HarvestCatalogStore {
  putCatalogs(lease: HarvestLease, names: readonly string[], source: HarvestSource): Promise<void>;
  putSchemas(lease: HarvestLease, catalog: string, names: readonly string[]): Promise<void>;
  putTables(lease: HarvestLease, page: HarvestPage): Promise<void>;
  /** Marks the tables of removed catalogs absent. */
  markAbsentCatalogs(lease: HarvestLease): Promise<void>;
}

/** Tables that one transaction marks absent: each one is locked and removed from the search. */
const BATCH = 200;
const COLUMNS_MAX = 5_000;

interface Known {
  readonly fact_id: string;
  readonly schema_name: string;
  readonly name: string;
  readonly columns_digest: Buffer | null;
  readonly is_absent: boolean;
  readonly type: string;
}

interface Change {
  readonly factId: string;
  readonly table: HarvestedTable;
  readonly digest: Buffer;
  readonly what: 'new' | 'other type' | 'other columns' | 'back';
}

const keyOf = (schema: string, name: string): string => `${schema}\0${name}`;

const digestOf = ({ type, columns }: HarvestedTable): Buffer => {
  const hash = createHash('sha256').update(type);
  for (const column of columns) hash.update(`\0${column.name}\0${column.type}`);
  return hash.digest();
};

const requireLease = async (transaction: Transaction, { tenantId, runId, attempt }: HarvestLease): Promise<void> => {
  const held = await transaction.query(statements.LOCK_RUN, [tenantId, runId, attempt]);
  if (held.length === 0) throw new ProblemError('conflict', 'Another host has continued this harvest.');
};

function changesOf(tables: readonly HarvestedTable[], known: readonly Known[]): readonly Change[] {
  const byKey = new Map(known.map((row) => [keyOf(row.schema_name, row.name), row]));
  return tables.flatMap((table): Change[] => {
    const row = byKey.get(keyOf(table.schema, table.name));
    const digest = digestOf(table);
    if (row === undefined) return [{ factId: randomUUID(), table, digest, what: 'new' }];
    const change = { factId: row.fact_id, table, digest };
    if (row.type !== table.type) return [{ ...change, what: 'other type' }];
    if (row.columns_digest === null || !digest.equals(row.columns_digest))
      return [{ ...change, what: 'other columns' }];
    return row.is_absent ? [{ ...change, what: 'back' }] : [];
  });
}

async function write(transaction: Transaction, page: HarvestPage & HarvestLease, changes: readonly Change[]) {
  const { tenantId, catalog } = page;
  const known = changes.filter(({ what }) => what !== 'new').map(({ factId }) => factId);
  if (known.length > 0) await transaction.query(statements.LOCK_FACTS, [tenantId, known]);
  const rows = changes.map(({ factId, table, digest, what }) => ({
    fact_id: factId,
    schema_name: table.schema,
    name: table.name,
    type: table.type,
    digest: digest.toString('hex'),
    is_new: what === 'new',
  }));
  await transaction.query(statements.PUT_FACTS, [tenantId, JSON.stringify(rows)]);
  await transaction.query(statements.PUT_TABLES, [tenantId, catalog, JSON.stringify(rows)]);
  const changed = changes.filter(({ what }) => what !== 'back');
  const columns = changed.flatMap(({ factId, table }) =>
    table.columns.map(({ name, type }, index) => ({ fact_id: factId, name, type, position: index + 1 })),
  );
  const older = changed.filter(({ what }) => what !== 'new');
  if (older.length > 0) {
    const kept = older.flatMap(({ factId, table }) => table.columns.map(({ name }) => ({ fact_id: factId, name })));
    const ids = older.map(({ factId }) => factId);
    await transaction.query(statements.MARK_ABSENT_COLUMNS, [tenantId, ids, JSON.stringify(kept)]);
  }
  for (let start = 0; start < columns.length; start += COLUMNS_MAX) {
    const chunk = JSON.stringify(columns.slice(start, start + COLUMNS_MAX));
    await transaction.query(statements.PUT_COLUMNS, [tenantId, chunk]);
  }
  await refreshSearch(
    transaction,
    tenantId,
    changes.map(({ factId }) => factId),
  );
}

export function createHarvestCatalogStore(database: Database): HarvestCatalogStore {
  const whileLeased = <T>(lease: HarvestLease, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.withTenant(lease.tenantId, async (transaction) => {
      await requireLease(transaction, lease);
      return await work(transaction);
    });

  /** Facts are locked in the order of their ids, so each batch is a transaction of its own. */
  const markAbsent = async (lease: HarvestLease, find: string, values: readonly unknown[]): Promise<void> => {
    for (;;) {
      const found = await whileLeased(lease, async (transaction) => {
        const { tenantId, runId } = lease;
        const rows = await transaction.query<{ fact_id: string }>(find, [tenantId, BATCH, ...values]);
        const ids = rows.map(({ fact_id }) => fact_id);
        if (ids.length === 0) return 0;
        await transaction.query(statements.LOCK_FACTS, [tenantId, ids]);
        await transaction.query(statements.MARK_ABSENT_TABLES, [tenantId, ids]);
        await refreshSearch(transaction, tenantId, ids);
        await transaction.query(statements.COUNT_ABSENT, [tenantId, runId, ids.length]);
        return ids.length;
      });
      if (found < BATCH) return;
    }
  };

  return {
    putCatalogs: (lease, names, { vendorName, location }) =>
      whileLeased(lease, async (transaction) => {
        await transaction.query(statements.PUT_CATALOGS, [lease.tenantId, names, vendorName, location]);
        await transaction.query(statements.MARK_ABSENT_CATALOGS, [lease.tenantId, names]);
      }),
    putSchemas: (lease, catalog, names) =>
      whileLeased(lease, async (transaction) => {
        await transaction.query(statements.PUT_SCHEMAS, [lease.tenantId, catalog, names]);
        await transaction.query(statements.MARK_ABSENT_SCHEMAS, [lease.tenantId, catalog, names]);
      }),
    async putTables(lease, page) {
      const { catalog, after, tables, skipped } = page;
      const schemas = tables.map(({ schema }) => schema);
      const names = tables.map(({ name }) => name);
      const range = [after?.schema ?? '', after?.name ?? '', schemas.at(-1) ?? null, names.at(-1) ?? null];
      await markAbsent(lease, statements.FIND_VANISHED, [catalog, ...range, schemas, names]);
      await whileLeased(lease, async (transaction) => {
        const { tenantId, runId } = lease;
        if (tables.length === 0) return;
        const known = await transaction.query<Known>(statements.FIND_TABLES, [tenantId, catalog, schemas, names]);
        const changes = changesOf(tables, known);
        if (changes.length > 0) await write(transaction, { ...page, ...lease }, changes);
        const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
        const counts = [tables.length, columns, changes.length, skipped];
        await transaction.query(statements.ADVANCE, [
          tenantId,
          runId,
          ...counts,
          catalog,
          schemas.at(-1),
          names.at(-1),
        ]);
      });
    },
    markAbsentCatalogs: (lease) => markAbsent(lease, statements.FIND_OF_ABSENT_CATALOGS, []),
  };
}
