import { randomUUID } from 'node:crypto';
import { type DomainRecord, domainNameKey } from '@sluice/contract';
import { isViolation } from '../database/store-problem.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

export interface StoredDomain extends DomainRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

interface DomainContent {
  readonly name: string;
  readonly description: string | null;
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
}

interface DomainRow {
  readonly domain_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: string;
  readonly created: Date;
  readonly updated: Date;
  readonly updated_by: string;
  readonly object_count: string;
}

/** Columns of `domains d`. */
const COLUMNS = `
  d.domain_id, d.name, d.description, d.version, d.created, d.updated, d.updated_by,
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
  insert into domains as d (tenant_id, domain_id, name, name_key, description, updated_by)
  values ($1, $2, $3, $4, $5, $6) on conflict (tenant_id, name_key) do nothing
  returning ${COLUMNS}`;

const UPDATE = `
  update domains d set name = $3, name_key = $4, description = $5, updated_by = $6, updated = clock_timestamp(), version = version + 1
  where d.tenant_id = $1 and d.domain_id = $2
  returning ${COLUMNS}`;

const DELETE = 'delete from domains where tenant_id = $1 and domain_id = $2';

const domainOf = (row: DomainRow): StoredDomain => ({
  id: row.domain_id,
  name: row.name,
  description: row.description,
  object_count: Number(row.object_count),
  created_ts: row.created.getTime(),
  updated_ts: row.updated.getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});

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
    insert: ({ name, description }, by) => one(INSERT, randomUUID(), name, domainNameKey(name), description, by),
    async update(id, { name, description }, by) {
      try {
        return await one(UPDATE, id, name, domainNameKey(name), description, by);
      } catch (thrown) {
        if (isViolation(thrown, 'unique')) return undefined;
        throw thrown;
      }
    },
    async remove(id) {
      try {
        await transaction.query(DELETE, [tenantId, id]);
        return true;
      } catch (thrown) {
        if (isViolation(thrown, 'foreign key')) return false;
        throw thrown;
      }
    },
  };
}
