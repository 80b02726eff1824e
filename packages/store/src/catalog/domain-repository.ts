import { randomUUID } from 'node:crypto';
import { type DomainObject, type DomainRecord, domainNameKey, formatTableName } from '@sluice/contract';
import { isViolation } from '../database/store-problem.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import type { MetadataOwner } from './metadata-facts.ts';

export interface StoredDomain extends DomainRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

interface DomainContent {
  readonly name: string;
  readonly description: string | null;
  /** Undefined: unchanged, and none for a new domain. */
  readonly owner?: MetadataOwner | null | undefined;
}

/** Domains of one tenant, within one transaction. */
export interface DomainRepository {
  /** Lists domains by name, with their total number. */
  list(page: { readonly from: number; readonly size: number }): Promise<{ total: number; domains: StoredDomain[] }>;
  find(id: string): Promise<StoredDomain | undefined>;
  /** Finds a domain by name, in any case. */
  findByName(name: string): Promise<StoredDomain | undefined>;
  /** Finds a domain and locks it until the end of the transaction. */
  lock(id: string): Promise<StoredDomain | undefined>;
  /**
   * Finds domains by ids or names, and keeps them from being removed or renamed until the end of the transaction. Returns the id of each
   * reference that was found. An id comes before a name of the same spelling.
   */
  keep(references: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Lists names of up to a thousand domains, for messages. */
  names(): Promise<readonly string[]>;
  /** Returns undefined when the name is taken. */
  insert(content: DomainContent, by: string): Promise<StoredDomain | undefined>;
  /** Changes a locked domain. Returns undefined when the name is taken; the transaction can only be rolled back then. */
  update(id: string, content: DomainContent, by: string): Promise<StoredDomain | undefined>;
  /** Returns false when something refers to the domain; the transaction can only be rolled back then. */
  remove(id: string): Promise<boolean>;
  /** Lists what is in a domain and the account may see, by type and name. */
  objects(id: string, reader: DomainReader): Promise<{ readonly total: number; readonly objects: DomainObject[] }>;
}

/** Account that reads the objects of a domain, and the page that it reads. */
interface DomainReader {
  readonly accountId: string;
  readonly seesAllDatamaps: boolean;
  readonly from: number;
  readonly size: number;
}

interface DomainRow {
  readonly domain_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly version: string;
  readonly created: Date;
  readonly updated: Date;
  readonly updated_by: string;
  readonly object_count: string;
}

interface ObjectRow {
  readonly total: number;
  /** Null: the page has no object. */
  readonly type: DomainObject['type'] | null;
  /** Null: a table or view. */
  readonly id: string | null;
  readonly name: string;
  readonly catalog_name: string | null;
  readonly schema_name: string | null;
  readonly description: string | null;
}

/** Columns of `domains d`. */
const COLUMNS = `
  d.domain_id, d.name, d.description, d.owner_name, d.version, d.created, d.updated, d.updated_by,
  (select count(*) from fact_domains f where f.tenant_id = d.tenant_id and f.domain_id = d.domain_id) as object_count`;

const LIST = `select ${COLUMNS} from domains d where d.tenant_id = $1 order by d.name_key limit $2 offset $3`;
const COUNT = 'select count(*) as total from domains where tenant_id = $1';
const FIND = `select ${COLUMNS} from domains d where d.tenant_id = $1 and d.domain_id = $2`;
const FIND_BY_NAME = `select ${COLUMNS} from domains d where d.tenant_id = $1 and d.name_key = $2`;

const KEEP = `
  select domain_id::text as id, name_key from domains
  where tenant_id = $1 and (domain_id = any ($2::uuid[]) or name_key = any ($3::text[]))
  order by domain_id for key share`;
const NAMES = 'select name from domains where tenant_id = $1 order by name_key limit 1000';

const INSERT = `
  insert into domains as d (tenant_id, domain_id, name, name_key, description, updated_by, owner_id, owner_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant_id, name_key) do nothing
  returning ${COLUMNS}`;

const UPDATE = `
  update domains d set name = $3, name_key = $4, description = $5, updated_by = $6, updated = clock_timestamp(), version = version + 1,
    owner_id = case when $7 then $8::uuid else owner_id end, owner_name = case when $7 then $9 else owner_name end
  where d.tenant_id = $1 and d.domain_id = $2
  returning ${COLUMNS}`;

/** Items refer to domains without a foreign key. */
const DELETE = `
  delete from domains d where d.tenant_id = $1 and d.domain_id = $2
    and not exists (select 1 from marketplace_items i where i.tenant_id = $1 and d.domain_id::text = any (i.domain_ids))
  returning 1`;

/**
 * Objects of a domain that an account may see: tenant, domain, account, whether it sees all datamaps, size, first place. Each row has the
 * total; a page after the last one is a row without a type.
 */
const OBJECTS = `
  with objects as (
    select f.type, case when f.type = 'DATAMAP' then f.fact_id::text end as id, coalesce(k.name, m.display_name) as name,
      k.catalog_name, k.schema_name, coalesce(nullif(f.description, ''), k.remarks) as description
    from fact_domains x
    join facts f on f.tenant_id = x.tenant_id and f.fact_id = x.fact_id
    left join catalog_tables k on k.tenant_id = x.tenant_id and k.fact_id = x.fact_id and k.absent_since is null
    left join datamaps m on m.tenant_id = x.tenant_id and m.fact_id = x.fact_id
    where x.tenant_id = $1 and x.domain_id = $2
      and (k.fact_id is not null or (m.fact_id is not null and ($4 or m.state = 'PUBLISHED' or $3 in (m.owner_id, m.steward_id))))
    union all
    select 'ITEM', i.item_id, i.title, null, null, i.description from marketplace_items i
    where i.tenant_id = $1 and $2::text = any (i.domain_ids)
  )
  select t.total, p.*
  from (select count(*)::integer as total from objects) t
  left join (
    select * from objects order by array_position(array['TABLE', 'VIEW', 'DATAMAP', 'ITEM'], type), name collate "C", id, catalog_name, schema_name
    limit $5 offset $6
  ) p on true
  order by array_position(array['TABLE', 'VIEW', 'DATAMAP', 'ITEM'], p.type), p.name collate "C", p.id, p.catalog_name, p.schema_name`;

const domainOf = (row: DomainRow): StoredDomain => ({
  id: row.domain_id,
  name: row.name,
  description: row.description,
  owner: row.owner_name,
  object_count: Number(row.object_count),
  created_ts: row.created.getTime(),
  updated_ts: row.updated.getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});

const objectsOf = ({
  type,
  id,
  name,
  catalog_name: catalog,
  schema_name: schema,
  description,
}: ObjectRow): DomainObject[] =>
  type === null
    ? []
    : [
        {
          type,
          id: id ?? formatTableName({ catalog: catalog ?? '', schema: schema ?? '', name }),
          ...{ name, catalog, schema, description },
        },
      ];

export function createDomainRepository(transaction: Transaction, tenantId: string): DomainRepository {
  const one = async (text: string, ...values: unknown[]): Promise<StoredDomain | undefined> => {
    const [row] = await transaction.query<DomainRow>(text, [tenantId, ...values]);
    return row && domainOf(row);
  };
  const byId = async (text: string, id: string) => (isUuid(id) ? one(text, id) : undefined);

  return {
    async list({ from, size }) {
      const rows = await transaction.query<DomainRow>(LIST, [tenantId, size, from]);
      const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId]);
      return { total: Number(counted?.total), domains: rows.map(domainOf) };
    },
    find: (id) => byId(FIND, id),
    findByName: (name) => one(FIND_BY_NAME, domainNameKey(name)),
    lock: (id) => byId(`${FIND} for update of d`, id),
    async keep(references) {
      if (references.length === 0) return new Map();
      const values = [tenantId, references.filter(isUuid), references.map(domainNameKey)];
      const rows = await transaction.query<{ id: string; name_key: string }>(KEEP, values);
      const byKey = new Map([
        ...rows.map(({ id, name_key }) => [name_key, id] as const),
        ...rows.map(({ id }) => [id, id] as const),
      ]);
      return new Map(
        references.flatMap((reference) => {
          const id = byKey.get(reference.toLowerCase()) ?? byKey.get(domainNameKey(reference));
          return id === undefined ? [] : [[reference, id] as const];
        }),
      );
    },
    names: async () => (await transaction.query<{ name: string }>(NAMES, [tenantId])).map(({ name }) => name),
    insert: ({ name, description, owner }, by) =>
      one(INSERT, randomUUID(), name, domainNameKey(name), description, by, owner?.id ?? null, owner?.name ?? null),
    async update(id, { name, description, owner }, by) {
      const content = [name, domainNameKey(name), description, by];
      try {
        return await one(UPDATE, id, ...content, owner !== undefined, owner?.id ?? null, owner?.name ?? null);
      } catch (thrown) {
        if (isViolation(thrown, 'unique')) return undefined;
        throw thrown;
      }
    },
    async objects(id, { accountId, seesAllDatamaps, from, size }) {
      const rows = await transaction.query<ObjectRow>(OBJECTS, [tenantId, id, accountId, seesAllDatamaps, size, from]);
      return { total: rows[0]?.total ?? 0, objects: rows.flatMap(objectsOf) };
    },
    async remove(id) {
      try {
        return (await transaction.query(DELETE, [tenantId, id])).length > 0;
      } catch (thrown) {
        if (isViolation(thrown, 'foreign key')) return false;
        throw thrown;
      }
    },
  };
}
