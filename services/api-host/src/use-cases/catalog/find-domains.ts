import { auditOf, type Caller, type DomainsQuery, ProblemError } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DomainPage, DomainStore, StoredDomain } from '@sluice/store/catalog';

export interface FindDomainsDependencies {
  readonly domains: Pick<DomainStore, 'find' | 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

const SIZE_DEFAULT = 100;

/** No record, no answer. */
export const createFindDomains = ({ domains, audit }: FindDomainsDependencies) => ({
  async list(caller: Caller, { from = 0, size = SIZE_DEFAULT }: DomainsQuery): Promise<DomainPage> {
    const found = await domains.list(caller.principal.tenant.id, { from, size });
    await audit.append(auditOf(caller, { action: 'READ_DOMAINS', target: 'domains', metadata: { from, size } }));
    return found;
  },
  async one(caller: Caller, id: string): Promise<StoredDomain> {
    const found = await domains.find(caller.principal.tenant.id, id);
    if (found === undefined) throw new ProblemError('not_found', 'There is no such domain.');
    await audit.append(
      auditOf(caller, { action: 'READ_DOMAINS', target: found.name, metadata: { domain_id: found.id } }),
    );
    return found;
  },
});
