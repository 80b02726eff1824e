import { randomUUID } from 'node:crypto';
import { type AuditRecord, domainNameKey } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { DOMAIN_COLUMNS, type DomainRow, domainOf, type StoredDomain } from './domain-mapper.ts';

interface DomainContent {
  readonly name: string;
  readonly description: string | null;
}

/** Account that makes a change. */
export interface DomainActor {
  readonly tenantId: string;
  readonly user: string;
}

export interface DomainTarget {
  readonly id: string;
  /** Version that the caller has read; undefined: any version. */
  readonly version: number | undefined;
}

/** Reason why nothing was changed. */
export type DomainRejection = 'missing' | 'other version' | 'name taken' | 'in use';

/** Change of a domain, for its audit record. */
export interface DomainChange {
  readonly before: StoredDomain | null;
  readonly after: StoredDomain | null;
}

type RecordDomain = (change: DomainChange) => AuditRecord;

export interface DomainPage {
  readonly total: number;
  readonly domains: readonly StoredDomain[];
}

/** Domains of a tenant. Every change is one transaction with its audit record. */
export interface DomainStore {
  /** Lists domains by name, with their total number. */
  list(tenantId: string, page: { readonly from: number; readonly size: number }): Promise<DomainPage>;
  find(tenantId: string, id: string): Promise<StoredDomain | undefined>;
  /** Finds a domain by name, in any case. */
  findByName(tenantId: string, name: string): Promise<StoredDomain | undefined>;
  create(actor: DomainActor, content: DomainContent, record: RecordDomain): Promise<StoredDomain | DomainRejection>;
  update(
    actor: DomainActor,
    change: DomainTarget & DomainContent,
    record: RecordDomain,
  ): Promise<StoredDomain | DomainRejection>;
  /** Removes a domain that nothing refers to. Returns the removed domain. */
  remove(actor: DomainActor, target: DomainTarget, record: RecordDomain): Promise<StoredDomain | DomainRejection>;
}

const LIST = `select ${DOMAIN_COLUMNS} from domains d where d.tenant_id = $1 order by d.name_key limit $2 offset $3`;
const COUNT = 'select count(*) as total from domains where tenant_id = $1';
const FIND = `select ${DOMAIN_COLUMNS} from domains d where d.tenant_id = $1 and d.domain_id = $2`;
const FIND_BY_NAME = `select ${DOMAIN_COLUMNS} from domains d where d.tenant_id = $1 and d.name_key = $2`;
const LOCK = `${FIND} for update of d`;

const INSERT = `
  insert into domains as d (tenant_id, domain_id, name, name_key, description, updated_by)
  values ($1, $2, $3, $4, $5, $6)
  returning ${DOMAIN_COLUMNS}`;

const UPDATE = `
  update domains d set name = $3, name_key = $4, description = $5, updated_by = $6, updated = clock_timestamp(), version = version + 1
  where d.tenant_id = $1 and d.domain_id = $2
  returning ${DOMAIN_COLUMNS}`;

const DELETE = 'delete from domains where tenant_id = $1 and domain_id = $2';

/** The server decides, because of concurrent changes: `unique_violation`, `foreign_key_violation`. */
const REJECTIONS: Readonly<Record<string, DomainRejection>> = { '23505': 'name taken', '23503': 'in use' };

const rejectionOf = (thrown: unknown): DomainRejection => {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  const rejection = typeof code === 'string' ? REJECTIONS[code] : undefined;
  if (rejection === undefined) throw thrown;
  return rejection;
};

const one = async (transaction: Transaction, text: string, values: unknown[]): Promise<StoredDomain | undefined> => {
  const [row] = await transaction.query<DomainRow>(text, values);
  return row && domainOf(row);
};

const lock = async (
  transaction: Transaction,
  tenantId: string,
  { id, version }: DomainTarget,
): Promise<StoredDomain | DomainRejection> => {
  const found = isUuid(id) ? await one(transaction, LOCK, [tenantId, id]) : undefined;
  if (found === undefined) return 'missing';
  return version === undefined || version === found.version ? found : 'other version';
};

export function createDomainStore(database: TenantDatabase): DomainStore {
  const change = async (
    tenantId: string,
    work: (transaction: Transaction) => Promise<StoredDomain | DomainRejection>,
  ): Promise<StoredDomain | DomainRejection> => database.withTenant(tenantId, work).catch(rejectionOf);

  return {
    list: (tenantId, { from, size }) =>
      database.withTenant(tenantId, async (transaction) => {
        const rows = await transaction.query<DomainRow>(LIST, [tenantId, size, from]);
        const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId]);
        return { total: Number(counted?.total), domains: rows.map(domainOf) };
      }),
    find: async (tenantId, id) =>
      isUuid(id) ? database.withTenant(tenantId, (transaction) => one(transaction, FIND, [tenantId, id])) : undefined,
    findByName: (tenantId, name) =>
      database.withTenant(tenantId, (transaction) => one(transaction, FIND_BY_NAME, [tenantId, domainNameKey(name)])),
    create: ({ tenantId, user }, { name, description }, record) =>
      change(tenantId, async (transaction) => {
        const values = [tenantId, randomUUID(), name, domainNameKey(name), description, user];
        const after = await one(transaction, INSERT, values);
        if (after === undefined) return 'missing';
        await appendAudit(transaction, record({ before: null, after }));
        return after;
      }),
    update: ({ tenantId, user }, { name, description, ...target }, record) =>
      change(tenantId, async (transaction) => {
        const before = await lock(transaction, tenantId, target);
        if (typeof before === 'string') return before;
        const values = [tenantId, target.id, name, domainNameKey(name), description, user];
        const after = await one(transaction, UPDATE, values);
        if (after === undefined) return 'missing';
        await appendAudit(transaction, record({ before, after }));
        return after;
      }),
    remove: ({ tenantId }, target, record) =>
      change(tenantId, async (transaction) => {
        const before = await lock(transaction, tenantId, target);
        if (typeof before === 'string') return before;
        await transaction.query(DELETE, [tenantId, target.id]);
        await appendAudit(transaction, record({ before, after: null }));
        return before;
      }),
  };
}
