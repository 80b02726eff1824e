import type { FactType } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { fieldChunks } from './field-chunks.ts';
import { type FactReference, type FieldMetadata, type FoundFact, referenceKey } from './metadata-facts.ts';

/** Reference with the names of its relevant fields. */
export interface FactInput {
  readonly reference: FactReference;
  readonly fieldNames: readonly string[];
}

/**
 * Locks facts in the one order of locks. A statement that waits for locks returns ids only: anything else that it had read would be older
 * than the lock. An absent table is treated as missing.
 *
 * Here and below, rows that belong to each row are read by `lateral` and `limit`, which leaves the planner only the index. With statistics
 * of a table that was just filled, it would otherwise compare every row with every other, or read a whole tenant.
 */
const LOCK = `
  with requested as (
    select unnest($2::uuid[]) as fact_id
    union
    select t.fact_id
    from unnest($3::text[], $4::text[], $5::text[]) as w (catalog_name, schema_name, name)
    cross join lateral (select k.fact_id from catalog_tables k
      where k.tenant_id = $1 and k.catalog_name = w.catalog_name and k.schema_name = w.schema_name and k.name = w.name
        and k.absent_since is null
      limit 1) t
  )
  select f.fact_id from facts f
  where f.tenant_id = $1 and f.fact_id = any (array(select fact_id from requested))
  order by f.fact_id
  for no key update`;

const READ = `
  select f.fact_id, f.type, f.version, f.description, f.tags,
    array(select d.domain_id::text from fact_domains d where d.tenant_id = $1 and d.fact_id = f.fact_id order by d.position) as domains,
    t.catalog_name, t.schema_name, t.name, m.display_name, m.state, m.owner_id, m.steward_id
  from facts f
  left join lateral (select * from catalog_tables k where k.tenant_id = $1 and k.fact_id = f.fact_id limit 1) t on true
  left join lateral (select * from datamaps d where d.tenant_id = $1 and d.fact_id = f.fact_id limit 1) m on true
  where f.tenant_id = $1 and f.fact_id = any ($2::uuid[])`;

/** Reads the requested fields that exist. */
const READ_FIELDS = `
  select w.fact_id, w.name, f.description, coalesce(f.tags, '{}') as tags
  from unnest($2::uuid[], $3::text[]) as w (fact_id, name)
  cross join lateral (
    select 1 from catalog_columns c
    where c.tenant_id = $1 and c.fact_id = w.fact_id and c.name = w.name and c.absent_since is null
    union all
    select 1 from datamap_fields d where d.tenant_id = $1 and d.fact_id = w.fact_id and d.name = w.name
    limit 1) e
  left join lateral (select * from fact_fields x
    where x.tenant_id = $1 and x.fact_id = w.fact_id and x.name = w.name
    limit 1) f on true`;

/** A referenced domain cannot be removed until the end of the transaction. */
const LOCK_DOMAINS = `
  select domain_id::text as id from domains where tenant_id = $1 and domain_id = any ($2::uuid[])
  order by domain_id for key share`;

interface FactRow {
  readonly fact_id: string;
  readonly type: FactType;
  readonly version: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly domains: string[];
  readonly catalog_name: string | null;
  readonly schema_name: string | null;
  readonly name: string | null;
  readonly display_name: string | null;
  readonly state: 'DRAFT' | 'IN_PROGRESS' | 'PUBLISHED' | 'ARCHIVED' | null;
  readonly owner_id: string | null;
  readonly steward_id: string | null;
}

interface FieldRow extends FieldMetadata {
  readonly fact_id: string;
  readonly name: string;
}

const keyOfRow = (row: FactRow): string =>
  row.type === 'DATAMAP'
    ? referenceKey({ type: 'DATAMAP', id: row.fact_id })
    : referenceKey({
        type: row.type,
        catalog: row.catalog_name ?? '',
        schema: row.schema_name ?? '',
        name: row.name ?? '',
      });

const factOf = (row: FactRow, fields: ReadonlyMap<string, FieldMetadata>): FoundFact => ({
  factId: row.fact_id,
  type: row.type,
  version: Number(row.version),
  displayName: row.display_name,
  description: row.description,
  tags: row.tags,
  domains: row.domains,
  fields,
  ...(row.state === null || row.owner_id === null
    ? {}
    : { status: { state: row.state, ownerId: row.owner_id, stewardId: row.steward_id } }),
});

const lock = async (transaction: Transaction, tenantId: string, inputs: readonly FactInput[]): Promise<string[]> => {
  const references = inputs.map(({ reference }) => reference);
  const ids = references.flatMap((each) => (each.type === 'DATAMAP' && isUuid(each.id) ? [each.id] : []));
  const tables = references.flatMap((each) => (each.type === 'DATAMAP' ? [] : [each]));
  const rows = await transaction.query<{ fact_id: string }>(LOCK, [
    tenantId,
    ids,
    tables.map(({ catalog }) => catalog),
    tables.map(({ schema }) => schema),
    tables.map(({ name }) => name),
  ]);
  return rows.map(({ fact_id }) => fact_id);
};

const readFields = async (
  transaction: Transaction,
  tenantId: string,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, Map<string, FieldMetadata>>> => {
  const pairs = [...names].flatMap(([factId, requested]) => [...requested].map((name) => ({ factId, name })));
  const found = new Map<string, Map<string, FieldMetadata>>();
  for (const chunk of fieldChunks(pairs)) {
    const values = [tenantId, chunk.map(({ factId }) => factId), chunk.map(({ name }) => name)];
    for (const { fact_id: factId, name, description, tags } of await transaction.query<FieldRow>(READ_FIELDS, values)) {
      const fields = found.get(factId) ?? new Map<string, FieldMetadata>();
      found.set(factId, fields.set(name, { description, tags }));
    }
  }
  return found;
};

/**
 * Locks the requested facts in the order of their ids and reads them under the lock. The keys are those of `referenceKey`; missing facts
 * are left out.
 */
export async function lockFacts(
  transaction: Transaction,
  tenantId: string,
  inputs: readonly FactInput[],
): Promise<ReadonlyMap<string, FoundFact>> {
  const factIds = await lock(transaction, tenantId, inputs);
  if (factIds.length === 0) return new Map();
  const rows = await transaction.query<FactRow>(READ, [tenantId, factIds]);
  const idsByKey = new Map(rows.map((row) => [keyOfRow(row), row.fact_id]));
  const names = new Map<string, Set<string>>();
  for (const { reference, fieldNames } of inputs) {
    const factId = idsByKey.get(referenceKey(reference));
    if (factId === undefined) continue;
    names.set(factId, new Set([...(names.get(factId) ?? []), ...fieldNames]));
  }
  const fields = await readFields(transaction, tenantId, names);
  return new Map(rows.map((row) => [keyOfRow(row), factOf(row, fields.get(row.fact_id) ?? new Map())]));
}

/** Returns the existing ones of these domains, and locks them until the end of the transaction. */
export async function lockDomains(
  transaction: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return new Set();
  const rows = await transaction.query<{ id: string }>(LOCK_DOMAINS, [tenantId, known]);
  return new Set(rows.map(({ id }) => id));
}
