import type { FactType } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import {
  type FactReference,
  type FactWrite,
  type FieldMetadata,
  type FoundFact,
  type MetadataOwner,
  referenceKey,
} from './metadata-facts.ts';

/** Reference with the names of its relevant fields. */
export interface FactInput {
  readonly reference: FactReference;
  readonly fieldNames: readonly string[];
}

/** Descriptive metadata of tables, views and datamaps of one tenant, within one transaction. */
export interface FactRepository {
  /**
   * Locks the requested facts in the order of their ids and reads them under the lock. The keys are those of `referenceKey`; missing facts
   * are left out.
   */
  lock(inputs: readonly FactInput[]): Promise<ReadonlyMap<string, FoundFact>>;
  /** Finds users who may be owners, by their e-mail in lower case. */
  findOwners(emails: readonly string[]): Promise<ReadonlyMap<string, MetadataOwner>>;
  /** Writes locked facts, with one statement per table. Takes each fact at most once. */
  write(writes: readonly FactWrite[], by: string): Promise<void>;
  /** Runs the statements of `write`, so that a dry run finds the same errors, and rolls them back. */
  tryWrite(writes: readonly FactWrite[], by: string): Promise<void>;
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
  select f.fact_id, f.type, f.version, f.description, f.tags, f.owner_id as fact_owner_id, f.owner_name,
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

/**
 * Uses the clock, not the start of the transaction, so that a writer that waited for the lock has the later time. The ids are passed a
 * second time, so that rows are found by the key, whatever table size the planner assumes.
 */
const WRITE_FACTS = `
  update facts f set description = w.description, tags = w.tags, version = f.version + 1, updated = clock_timestamp(), updated_by = $3,
    owner_id = case when w.has_owner then w.owner_id else f.owner_id end,
    owner_name = case when w.has_owner then w.owner_name else f.owner_name end
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, description text, tags text[], has_owner boolean, owner_id uuid, owner_name text)
  where f.tenant_id = $1 and f.fact_id = any ($4::uuid[]) and f.fact_id = w.fact_id`;

const FIND_OWNERS =
  'select id, email as name from users where tenant_id = $1 and email = any ($2::text[]) and not disabled';

const WRITE_NAMES = `
  update datamaps m set display_name = w.display_name
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, display_name text)
  where m.tenant_id = $1 and m.fact_id = any ($3::uuid[]) and m.fact_id = w.fact_id`;

const WRITE_FIELDS = `
  insert into fact_fields (tenant_id, fact_id, name, description, tags)
  select $1, fact_id, name, description, tags
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, name text, description text, tags text[])
  on conflict (tenant_id, fact_id, name) do update set description = excluded.description, tags = excluded.tags`;

/** A field without metadata needs no row. The fields are found one by one; they cannot change, because their fact is locked. */
const CLEAR_FIELDS = `
  delete from fact_fields where ctid = any (array(
    select f.place from unnest($2::uuid[], $3::text[]) as w (fact_id, name)
    cross join lateral (select x.ctid as place from fact_fields x
      where x.tenant_id = $1 and x.fact_id = w.fact_id and x.name = w.name
      limit 1) f))`;

const CLEAR_DOMAINS = 'delete from fact_domains where tenant_id = $1 and fact_id = any ($2::uuid[])';

const WRITE_DOMAINS = `
  insert into fact_domains (tenant_id, fact_id, domain_id, position)
  select $1, fact_id, domain_id, position
  from unnest($2::uuid[], $3::uuid[], $4::integer[]) as w (fact_id, domain_id, position)`;

interface FactRow {
  readonly fact_id: string;
  readonly type: FactType;
  readonly version: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly domains: string[];
  readonly fact_owner_id: string | null;
  readonly owner_name: string | null;
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
  owner: row.fact_owner_id === null || row.owner_name === null ? null : { id: row.fact_owner_id, name: row.owner_name },
  fields,
  ...(row.state === null || row.owner_id === null
    ? {}
    : { status: { state: row.state, ownerId: row.owner_id, stewardId: row.steward_id } }),
});

/** Fields of one statement. An import may name a hundred thousand, and a statement has a time limit of a few seconds. */
const FIELDS_MAX = 5000;

/** Yields chunks of fields; none for an empty list. */
export function* fieldChunks<T>(fields: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < fields.length; start += FIELDS_MAX) yield fields.slice(start, start + FIELDS_MAX);
}

export function createFactRepository(transaction: Transaction, tenantId: string): FactRepository {
  const lockIds = async (inputs: readonly FactInput[]): Promise<string[]> => {
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
    names: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Map<string, Map<string, FieldMetadata>>> => {
    const pairs = [...names].flatMap(([factId, requested]) => [...requested].map((name) => ({ factId, name })));
    const found = new Map<string, Map<string, FieldMetadata>>();
    for (const chunk of fieldChunks(pairs)) {
      const values = [tenantId, chunk.map(({ factId }) => factId), chunk.map(({ name }) => name)];
      for (const row of await transaction.query<FieldRow>(READ_FIELDS, values)) {
        const { fact_id: factId, name, description, tags } = row;
        const fields = found.get(factId) ?? new Map<string, FieldMetadata>();
        found.set(factId, fields.set(name, { description, tags }));
      }
    }
    return found;
  };

  const writeFields = async (writes: readonly FactWrite[]): Promise<void> => {
    const rows = writes.flatMap(({ factId, fields }) =>
      [...fields].map(([name, { description, tags }]) => ({ fact_id: factId, name, description, tags })),
    );
    const kept = rows.filter(({ description, tags }) => description !== null || tags.length > 0);
    const cleared = rows.filter(({ description, tags }) => description === null && tags.length === 0);
    for (const chunk of fieldChunks(kept)) await transaction.query(WRITE_FIELDS, [tenantId, JSON.stringify(chunk)]);
    for (const chunk of fieldChunks(cleared)) {
      const values = [tenantId, chunk.map(({ fact_id }) => fact_id), chunk.map(({ name }) => name)];
      await transaction.query(CLEAR_FIELDS, values);
    }
  };

  const writeDomains = async (writes: readonly FactWrite[]): Promise<void> => {
    const changed = writes.filter(({ domains }) => domains !== undefined);
    if (changed.length === 0) return;
    await transaction.query(CLEAR_DOMAINS, [tenantId, changed.map(({ factId }) => factId)]);
    const rows = changed.flatMap(({ factId, domains = [] }) =>
      domains.map((domainId, position) => ({ factId, domainId, position })),
    );
    if (rows.length === 0) return;
    await transaction.query(WRITE_DOMAINS, [
      tenantId,
      rows.map(({ factId }) => factId),
      rows.map(({ domainId }) => domainId),
      rows.map(({ position }) => position),
    ]);
  };

  const write: FactRepository['write'] = async (writes, by) => {
    if (writes.length === 0) return;
    const facts = writes.map(({ factId, description, tags, owner }) => ({
      ...{ fact_id: factId, description, tags },
      ...{ has_owner: owner !== undefined, owner_id: owner?.id ?? null, owner_name: owner?.name ?? null },
    }));
    const ids = writes.map(({ factId }) => factId);
    await transaction.query(WRITE_FACTS, [tenantId, JSON.stringify(facts), by, ids]);
    const named = writes.flatMap(({ factId, displayName }) =>
      displayName === undefined ? [] : [{ fact_id: factId, display_name: displayName }],
    );
    if (named.length > 0) await transaction.query(WRITE_NAMES, [tenantId, JSON.stringify(named), ids]);
    await writeFields(writes);
    await writeDomains(writes);
    await refreshSearch(transaction, tenantId, ids);
  };

  return {
    async lock(inputs) {
      const factIds = await lockIds(inputs);
      if (factIds.length === 0) return new Map();
      const rows = await transaction.query<FactRow>(READ, [tenantId, factIds]);
      const idsByKey = new Map(rows.map((row) => [keyOfRow(row), row.fact_id]));
      const names = new Map<string, Set<string>>();
      for (const { reference, fieldNames } of inputs) {
        const factId = idsByKey.get(referenceKey(reference));
        if (factId === undefined) continue;
        names.set(factId, new Set([...(names.get(factId) ?? []), ...fieldNames]));
      }
      const fields = await readFields(names);
      return new Map(rows.map((row) => [keyOfRow(row), factOf(row, fields.get(row.fact_id) ?? new Map())]));
    },
    async findOwners(emails) {
      if (emails.length === 0) return new Map();
      const rows = await transaction.query<MetadataOwner & object>(FIND_OWNERS, [tenantId, emails]);
      return new Map(rows.map(({ id, name }) => [name, { id, name }]));
    },
    write,
    async tryWrite(writes, by) {
      await transaction.query('savepoint trial');
      await write(writes, by);
      await transaction.query('rollback to savepoint trial');
    },
  };
}
