import { auditOf, type Caller, type DomainsQuery, ProblemError } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DomainPage, DomainStore, StoredDomain } from '@sluice/store/catalog';

interface FindDomainsDependencies {
  readonly domains: Pick<DomainStore, 'find' | 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

/** Returns a page of the domains. Fails if the read cannot be recorded. */
type FindDomains = (caller: Caller, query: DomainsQuery) => Promise<DomainPage>;
/** Returns one domain. Throws `not_found`; fails if the read cannot be recorded. */
type FindDomain = (caller: Caller, id: string) => Promise<StoredDomain>;

const SIZE_DEFAULT = 100;

export const createFindDomains =
  ({ domains, audit }: FindDomainsDependencies): FindDomains =>
  async (caller, { from = 0, size = SIZE_DEFAULT }) => {
    const found = await domains.list(caller.principal.tenant.id, { from, size });
    await audit.append(auditOf(caller, { action: 'READ_DOMAINS', target: 'domains', metadata: { from, size } }));
    return found;
  };

export const createFindDomain =
  ({ domains, audit }: FindDomainsDependencies): FindDomain =>
  async (caller, id) => {
    const found = await domains.find(caller.principal.tenant.id, id);
    if (found === undefined) throw new ProblemError('not_found', 'There is no such domain.');
    await audit.append(
      auditOf(caller, { action: 'READ_DOMAINS', target: found.name, metadata: { domain_id: found.id } }),
    );
    return found;
  };
