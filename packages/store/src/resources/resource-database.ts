import { type AuditAction, type AuditRecord, auditOf, type Caller } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { createDomainRepository, type DomainRepository } from '../catalog/domain-repository.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';

/**
 * Open transaction of one tenant: repositories that only read and write rows, and the audit log. It ends when the work that received it
 * returns (commit) or throws (rollback), so a change and its record are both durable, or neither.
 */
export interface TenantTransaction {
  readonly tenantId: string;
  /** Name of the actor, which changed rows keep as their author. */
  readonly by: string;
  readonly domains: DomainRepository;
  /** Writes the audit record of an act of the actor. Throws `audit_unavailable`. */
  record(action: AuditAction, target: string, metadata?: Readonly<Record<string, unknown>>): Promise<void>;
  /** States that the work changed nothing, so that it needs no record. */
  unchanged(): void;
}

/** Account, operator or program for which a transaction runs. */
export interface Actor {
  readonly tenantId: string;
  readonly name: string;
  /** Returns the audit record of an act. */
  auditOf(act: Pick<AuditRecord, 'action' | 'target' | 'metadata'>): AuditRecord;
}

type Work<T> = (tx: TenantTransaction) => Promise<T>;

/** Resources of all tenants. */
export interface ResourceDatabase {
  /** Runs a change and its audit records as one transaction. Throws, and changes nothing, when the work has recorded nothing. */
  change<T>(by: Caller | Actor, work: Work<T>): Promise<T>;
  /** Runs reads, and their audit records if there are some, as one transaction. */
  read<T>(by: Caller | Actor, work: Work<T>): Promise<T>;
}

const actorOf = (by: Caller | Actor): Actor =>
  'principal' in by
    ? { tenantId: by.principal.tenant.id, name: by.principal.name, auditOf: (act) => auditOf(by, act) }
    : by;

interface RecordedTransaction extends TenantTransaction {
  /** Whether the work was recorded, or stated that it changed nothing. */
  isSettled(): boolean;
}

/** Creates the repositories of a transaction that is open for the tenant of the actor. */
export function createTenantTransaction(transaction: Transaction, by: Caller | Actor): RecordedTransaction {
  const actor = actorOf(by);
  const { tenantId } = actor;
  let isSettled = false;
  return {
    tenantId,
    by: actor.name,
    domains: createDomainRepository(transaction, tenantId),
    async record(action, target, metadata) {
      await appendAudit(transaction, actor.auditOf({ action, target, ...(metadata && { metadata }) }));
      isSettled = true;
    },
    unchanged() {
      isSettled = true;
    },
    isSettled: () => isSettled,
  };
}

export function createResourceDatabase(database: TenantDatabase): ResourceDatabase {
  return {
    change: (by, work) =>
      database.withTenant(actorOf(by).tenantId, async (transaction) => {
        const tx = createTenantTransaction(transaction, by);
        const result = await work(tx);
        if (!tx.isSettled()) throw new Error('a change has no audit record');
        return result;
      }),
    read: (by, work) =>
      database.withTenant(actorOf(by).tenantId, (transaction) => work(createTenantTransaction(transaction, by))),
  };
}
