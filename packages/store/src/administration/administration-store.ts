import { type AuditRecord, type Caller, ProblemError } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { withinTransaction } from '../database/within-transaction.ts';
import { createDatamapWrites, type DatamapWrites } from '../datamaps/datamap-writes.ts';
import { createMarketplaceAccessStore, type MarketplaceAccessStore } from '../marketplace/marketplace-access-store.ts';
import type { MarketplaceChanges } from '../marketplace/marketplace-changes.ts';
import { createMarketplaceStore, type MarketplaceStore } from '../marketplace/marketplace-store.ts';
import { createTenantTransaction, type TenantTransaction } from '../resources/resource-database.ts';
import { accountProblem } from './account-problem.ts';
import { type ClientRepository, createClientRepository } from './client-repository.ts';
import { createGrantRepository, type GrantRepository } from './grant-repository.ts';
import { createIdentityProviderRepository, type IdentityProviderRepository } from './identity-provider-repository.ts';
import { createIdentityRepository, type IdentityRepository } from './identity-repository.ts';
import { createInvitationRepository, type InvitationRepository } from './invitation-repository.ts';
import { createRoleRepository, type RoleRepository } from './role-repository.ts';
import { createUserRepository, type UserRepository } from './user-repository.ts';

/** Stores for the content of a tenant: everything except accounts, roles and grants. */
export interface TenantContent {
  readonly datamaps: DatamapWrites;
  readonly marketplace: MarketplaceStore;
  readonly marketplaceAccess: MarketplaceAccessStore;
  readonly marketplaceChanges: MarketplaceChanges;
}

/** Accounts, roles and grants of one tenant, within one transaction. */
export interface Administration {
  readonly users: UserRepository;
  readonly roles: RoleRepository;
  readonly clients: ClientRepository;
  readonly invitations: InvitationRepository;
  readonly grants: GrantRepository;
  readonly identityProvider: IdentityProviderRepository;
  readonly identities: IdentityRepository;
  /** Stores for the tenant's content. Their changes are part of this transaction. */
  readonly content: TenantContent;
  /** Returns this transaction with the resources that have moved to it. */
  as(caller: Caller): TenantTransaction;
  /** Returns whether the tenant still has an admin who can log in. */
  hasAdmin(): Promise<boolean>;
  /** Writes the audit record of a change within the change's own transaction. */
  record(record: AuditRecord): Promise<void>;
}

export interface AdministrationStore {
  /**
   * Runs `work` and its audit records as one transaction. Changes of one tenant are serialized, so that two concurrent changes cannot each
   * remove one of the last two admins. Throws `not_found` when the tenant does not exist.
   */
  change<T>(tenantId: string, work: (administration: Administration) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction that is not serialized with other changes. */
  read<T>(tenantId: string, work: (administration: Administration) => Promise<T>): Promise<T>;
}

/**
 * An admin can log in with a password, or through the tenant's identity provider once the account is linked there. An admin's account is
 * linked only with its password or by another admin.
 */
const HAS_ADMIN = `
  select exists (
    select 1 from users u
    where u.tenant_id = $1 and not u.disabled
      and (u.password_hash is not null
        or exists (select 1 from identity_providers p
          join user_identities i on i.tenant_id = p.tenant_id and i.issuer = p.issuer
          where p.tenant_id = u.tenant_id and i.user_id = u.id))
      and exists (select 1 from roles r
        where r.tenant_id = u.tenant_id and r.name = any (u.roles) and 'admin' = any (r.permissions))
  ) as found`;

/** Not `for update`, which would block every insert of a row that references the tenant. */
const LOCK_TENANT = 'select 1 from tenants where id = $1 for no key update';

function createContent(transaction: Transaction, tenantId: string): TenantContent {
  const database = withinTransaction(transaction, tenantId);
  const marketplace = createMarketplaceStore(database);
  const marketplaceAccess = createMarketplaceAccessStore(database);
  return {
    datamaps: createDatamapWrites(database),
    marketplace,
    marketplaceAccess,
    // The lock on the tenant keeps its accounts and roles already.
    marketplaceChanges: { change: (_tenantId, work) => work({ marketplace, marketplaceAccess }) },
  };
}

export const createAdministration = (transaction: Transaction, tenantId: string): Administration => ({
  users: createUserRepository(transaction, tenantId),
  roles: createRoleRepository(transaction, tenantId),
  clients: createClientRepository(transaction, tenantId),
  invitations: createInvitationRepository(transaction, tenantId),
  grants: createGrantRepository(transaction, tenantId),
  identityProvider: createIdentityProviderRepository(transaction, tenantId),
  identities: createIdentityRepository(transaction, tenantId),
  content: createContent(transaction, tenantId),
  as: (caller) => createTenantTransaction(transaction, caller),
  async hasAdmin() {
    const [row] = await transaction.query<{ found: boolean }>(HAS_ADMIN, [tenantId]);
    return row?.found === true;
  },
  record: (record) => appendAudit(transaction, record),
});

export const createAdministrationStore = (database: Database): AdministrationStore => ({
  async change(tenantId, work) {
    return database
      .withTenant(tenantId, async (transaction) => {
        const found = await transaction.query(LOCK_TENANT, [tenantId]);
        if (found.length === 0) throw new ProblemError('not_found', 'There is no such tenant.');
        return await work(createAdministration(transaction, tenantId));
      })
      .catch((thrown: unknown) => {
        throw accountProblem(thrown);
      });
  },
  read: (tenantId, work) =>
    database.withTenant(tenantId, (transaction) => work(createAdministration(transaction, tenantId))),
});
