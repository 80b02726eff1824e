import { type AuditRecord, ProblemError } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { createDomainStore, type DomainStore } from '../catalog/domain-store.ts';
import type { Database, TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { createDatamapWrites, type DatamapWrites } from '../datamaps/datamap-writes.ts';
import { createMarketplaceAccessStore, type MarketplaceAccessStore } from '../marketplace/marketplace-access-store.ts';
import { createMarketplaceStore, type MarketplaceStore } from '../marketplace/marketplace-store.ts';
import { accountRefusal } from './account-refusal.ts';
import { type ClientRepository, createClientRepository } from './client-repository.ts';
import { createGrantRepository, type GrantRepository } from './grant-repository.ts';
import { createIdentityProviderRepository, type IdentityProviderRepository } from './identity-provider-repository.ts';
import { createIdentityRepository, type IdentityRepository } from './identity-repository.ts';
import { createInvitationRepository, type InvitationRepository } from './invitation-repository.ts';
import { createRoleRepository, type RoleRepository } from './role-repository.ts';
import { createUserRepository, type UserRepository } from './user-repository.ts';

/** What a tenant has, besides who is in it. */
export interface TenantContent {
  readonly domains: DomainStore;
  readonly datamaps: DatamapWrites;
  readonly marketplace: MarketplaceStore;
  readonly marketplaceAccess: MarketplaceAccessStore;
}

/** Who is in one tenant and what each may do, within one transaction. */
export interface Administration {
  readonly users: UserRepository;
  readonly roles: RoleRepository;
  readonly clients: ClientRepository;
  readonly invitations: InvitationRepository;
  readonly grants: GrantRepository;
  readonly identityProvider: IdentityProviderRepository;
  readonly identities: IdentityRepository;
  /** The stores of everything else, whose changes are all part of this transaction. */
  readonly content: TenantContent;
  /** Whether somebody is left who may administer the tenant and can log in. */
  hasAdmin(): Promise<boolean>;
  /** Writes the record of a change within the change's own transaction. */
  record(record: AuditRecord): Promise<void>;
}

export interface AdministrationStore {
  /**
   * One transaction: all that `work` does is durable with its records, or nothing is. Changes of one tenant take turns, so that two at
   * once cannot each leave the last admin to the other. Throws `not_found` when the tenant is gone.
   */
  change<T>(tenantId: string, work: (administration: Administration) => Promise<T>): Promise<T>;
  /** The same view without taking turns. */
  read<T>(tenantId: string, work: (administration: Administration) => Promise<T>): Promise<T>;
}

/**
 * An admin can log in by a password, or at the tenant's identity provider once the account is linked there: an account of an admin is linked
 * only by its password or by another admin.
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

/** Not `for update`: that would stand in the way of whatever refers to the tenant. */
const LOCK_TENANT = 'select 1 from tenants where id = $1 for no key update';

/** For stores that open a transaction for each change: they get this one, which whoever opened it commits or rolls back. */
const within = (transaction: Transaction, tenantId: string): TenantDatabase => ({
  async withTenant(wantedId, work) {
    if (wantedId !== tenantId) throw new TypeError('a transaction is of one tenant');
    return await work(transaction);
  },
});

const contentOf = (database: TenantDatabase): TenantContent => ({
  domains: createDomainStore(database),
  datamaps: createDatamapWrites(database),
  marketplace: createMarketplaceStore(database),
  marketplaceAccess: createMarketplaceAccessStore(database),
});

export const administrationOf = (transaction: Transaction, tenantId: string): Administration => ({
  users: createUserRepository(transaction, tenantId),
  roles: createRoleRepository(transaction, tenantId),
  clients: createClientRepository(transaction, tenantId),
  invitations: createInvitationRepository(transaction, tenantId),
  grants: createGrantRepository(transaction, tenantId),
  identityProvider: createIdentityProviderRepository(transaction, tenantId),
  identities: createIdentityRepository(transaction, tenantId),
  content: contentOf(within(transaction, tenantId)),
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
        return await work(administrationOf(transaction, tenantId));
      })
      .catch((thrown: unknown) => {
        throw accountRefusal(thrown);
      });
  },
  read: (tenantId, work) =>
    database.withTenant(tenantId, (transaction) => work(administrationOf(transaction, tenantId))),
});
