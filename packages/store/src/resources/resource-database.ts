import { type AuditAction, type AuditRecord, auditOf, type Caller, recordsMetadataReads } from '@sluice/contract';
import { type ClientRepository, createClientRepository } from '../administration/client-repository.ts';
import {
  createIdentityProviderRepository,
  type IdentityProviderRepository,
} from '../administration/identity-provider-repository.ts';
import { createIdentityRepository, type IdentityRepository } from '../administration/identity-repository.ts';
import { createInvitationRepository, type InvitationRepository } from '../administration/invitation-repository.ts';
import { createOAuthClientRepository, type OAuthClientRepository } from '../administration/oauth-client-repository.ts';
import { createRoleRepository, type RoleRepository } from '../administration/role-repository.ts';
import { createTenantRepository, type TenantRepository } from '../administration/tenant-repository.ts';
import { createUserRepository, type UserRepository } from '../administration/user-repository.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type ChangeRepository, createChangeRepository } from '../catalog/change-repository.ts';
import { createDomainRepository, type DomainRepository } from '../catalog/domain-repository.ts';
import { createFactRepository, type FactRepository } from '../catalog/fact-repository.ts';
import { createHarvestRepository, type HarvestRepository } from '../catalog/harvest-repository.ts';
import {
  createIdempotencyKeyRepository,
  type IdempotencyKeyRepository,
} from '../catalog/idempotency-key-repository.ts';
import { createImportRepository, type ImportRepository } from '../catalog/import-repository.ts';
import { createOverviewRepository, type OverviewRepository } from '../catalog/overview-repository.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { createDatamapRepository, type DatamapRepository } from '../datamaps/datamap-repository.ts';
import {
  createNotificationSettingsRepository,
  type NotificationSettingsRepository,
} from '../identity/notification-settings-repository.ts';
import { createOAuthConsentRepository, type OAuthConsentRepository } from '../identity/oauth-consent-repository.ts';
import { createSessionRepository, type SessionRepository } from '../identity/session-repository.ts';
import {
  type AccessRequestRepository,
  createAccessRequestRepository,
} from '../marketplace/access-request-repository.ts';
import { createGrantRepository, type GrantRepository } from '../marketplace/grant-repository.ts';
import { createItemRepository, type ItemRepository } from '../marketplace/item-repository.ts';
import { createMailRepository, type MailRepository } from '../marketplace/mail-repository.ts';
import { createKeptResultRepository, type KeptResultRepository } from '../queries/kept-result-repository.ts';

/**
 * Open transaction of one tenant: repositories that only read and write rows, and the audit log. It ends when the work that received it
 * returns (commit) or throws (rollback), so a change and its record are both durable, or neither.
 *
 * Locks are taken in this order: the tenant or its grantees, an item, a grant, a request or a kept result.
 */
export interface TenantTransaction {
  readonly tenantId: string;
  /** Name of the actor, which changed rows keep as their author. */
  readonly by: string;
  readonly tenant: TenantRepository;
  readonly users: UserRepository;
  readonly roles: RoleRepository;
  readonly clients: ClientRepository;
  readonly oauthClients: OAuthClientRepository;
  readonly oauthConsents: OAuthConsentRepository;
  readonly invitations: InvitationRepository;
  readonly identityProvider: IdentityProviderRepository;
  readonly identities: IdentityRepository;
  readonly sessions: SessionRepository;
  readonly notificationSettings: NotificationSettingsRepository;
  readonly domains: DomainRepository;
  readonly facts: FactRepository;
  readonly factChanges: ChangeRepository;
  readonly overview: OverviewRepository;
  readonly harvests: HarvestRepository;
  readonly idempotencyKeys: IdempotencyKeyRepository;
  readonly imports: ImportRepository;
  readonly items: ItemRepository;
  readonly grants: GrantRepository;
  readonly accessRequests: AccessRequestRepository;
  readonly mails: MailRepository;
  readonly datamaps: DatamapRepository;
  readonly keptResults: KeptResultRepository;
  /** Writes the audit record of an act of the actor. Throws `audit_unavailable`. */
  record(action: AuditAction, target: string, metadata?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes the record of a read of metadata, unless the tenant has chosen not to record such reads. Throws `audit_unavailable`. */
  recordMetadataRead(action: AuditAction, target: string, metadata?: Readonly<Record<string, unknown>>): Promise<void>;
  /** States that the work needs no record of its own: it changed nothing, or the record of the act that it belongs to contains it. */
  skipRecord(): void;
}

/** Account, operator or login for which a transaction runs. */
export interface Actor {
  readonly tenantId: string;
  readonly name: string;
  /** Request for which the transaction runs. */
  readonly requestId?: string | undefined;
  /** Returns the audit record of an act. */
  auditOf(act: Pick<AuditRecord, 'action' | 'target' | 'metadata'>): AuditRecord;
  /** False for an account whose tenant does not record reads of metadata. */
  readonly recordsMetadataReads?: boolean;
}

type Work<T> = (tx: TenantTransaction) => Promise<T>;

/** Resources of all tenants. */
export interface ResourceDatabase {
  /** Runs a change and its audit records as one transaction. Throws, and changes nothing, when the work has recorded nothing. */
  change<T>(by: Caller | Actor, work: Work<T>): Promise<T>;
  /** Runs a change, rolls it back, and returns its result. */
  dryRun<T>(by: Caller | Actor, work: Work<T>): Promise<T>;
  /** Runs reads, and their audit records if there are some, as one transaction. */
  read<T>(by: Caller | Actor, work: Work<T>): Promise<T>;
}

const actorOf = (by: Caller | Actor): Actor =>
  'principal' in by
    ? {
        tenantId: by.principal.tenant.id,
        name: by.principal.name,
        requestId: by.requestId,
        auditOf: (act) => auditOf(by, act),
        recordsMetadataReads: recordsMetadataReads(by.principal.tenant),
      }
    : by;

interface OpenedTransaction {
  readonly tx: TenantTransaction;
  /** Returns whether the work has written a record, or needs none. */
  isRecorded(): boolean;
}

function openTransaction(transaction: Transaction, actor: Actor): OpenedTransaction {
  const { tenantId, name, requestId, auditOf: recordOf } = actor;
  let isRecorded = false;
  const tx: TenantTransaction = {
    tenantId,
    by: name,
    tenant: createTenantRepository(transaction, tenantId),
    users: createUserRepository(transaction, tenantId),
    roles: createRoleRepository(transaction, tenantId),
    clients: createClientRepository(transaction, tenantId),
    oauthClients: createOAuthClientRepository(transaction, tenantId),
    oauthConsents: createOAuthConsentRepository(transaction, tenantId),
    invitations: createInvitationRepository(transaction, tenantId),
    identityProvider: createIdentityProviderRepository(transaction, tenantId),
    identities: createIdentityRepository(transaction, tenantId),
    sessions: createSessionRepository(transaction, tenantId),
    notificationSettings: createNotificationSettingsRepository(transaction, tenantId),
    domains: createDomainRepository(transaction, tenantId),
    facts: createFactRepository(transaction, tenantId),
    factChanges: createChangeRepository(transaction, tenantId, requestId),
    overview: createOverviewRepository(transaction, tenantId),
    harvests: createHarvestRepository(transaction, tenantId),
    idempotencyKeys: createIdempotencyKeyRepository(transaction, tenantId),
    imports: createImportRepository(transaction, tenantId),
    items: createItemRepository(transaction, tenantId),
    grants: createGrantRepository(transaction, tenantId),
    accessRequests: createAccessRequestRepository(transaction, tenantId),
    mails: createMailRepository(transaction, tenantId),
    datamaps: createDatamapRepository(transaction, tenantId),
    keptResults: createKeptResultRepository(transaction, tenantId),
    async record(action, target, metadata) {
      await appendAudit(transaction, recordOf({ action, target, ...(metadata && { metadata }) }));
      isRecorded = true;
    },
    async recordMetadataRead(action, target, metadata) {
      if (actor.recordsMetadataReads !== false) await tx.record(action, target, metadata);
    },
    skipRecord() {
      isRecorded = true;
    },
  };
  return { tx, isRecorded: () => isRecorded };
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

/** Returns a database whose work joins an open transaction. */
export const joinTransaction = (tx: TenantTransaction): Pick<ResourceDatabase, 'change' | 'read'> => ({
  change: (_by, work) => work(tx),
  read: (_by, work) => work(tx),
});

export function createResourceDatabase(database: TenantDatabase): ResourceDatabase {
  const run = <T>(by: Caller | Actor, work: (opened: OpenedTransaction) => Promise<T>): Promise<T> => {
    const actor = actorOf(by);
    return database.withTenant(actor.tenantId, (transaction) => work(openTransaction(transaction, actor)));
  };

  return {
    change: (by, work) =>
      run(by, async ({ tx, isRecorded }) => {
        const result = await work(tx);
        if (!isRecorded()) throw new Error('a change has no audit record');
        return result;
      }),
    async dryRun<T>(by: Caller | Actor, work: Work<T>) {
      try {
        return await run<T>(by, async ({ tx }) => {
          throw new RolledBack(await work(tx));
        });
      } catch (thrown) {
        if (thrown instanceof RolledBack) return thrown.result as T;
        throw thrown;
      }
    },
    read: (by, work) => run(by, ({ tx }) => work(tx)),
  };
}
