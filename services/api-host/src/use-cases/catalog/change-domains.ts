import { type AuditAction, auditOf, type Caller, type DomainRequest, ProblemError } from '@sluice/contract';
import type {
  DomainActor,
  DomainChange,
  DomainRejection,
  DomainStore,
  DomainTarget,
  StoredDomain,
} from '@sluice/store/catalog';

const refuse = (refusal: DomainRejection): never => {
  switch (refusal) {
    case 'missing':
      throw new ProblemError('not_found', 'There is no such domain.');
    case 'other version':
      throw new ProblemError('precondition_failed', 'The domain was changed meanwhile. Read it again.');
    case 'name taken':
      throw new ProblemError('conflict', 'Another domain has this name.');
    case 'in use':
      throw new ProblemError('conflict', 'Tables, views or datamaps carry this domain. Remove it from them first.');
    default:
      return refusal satisfies never;
  }
};

const settled = (found: StoredDomain | DomainRejection): StoredDomain =>
  typeof found === 'string' ? refuse(found) : found;

export const presentDomain = (domain: StoredDomain | null) =>
  domain === null ? null : { name: domain.name, description: domain.description };

const record =
  (caller: Caller, action: AuditAction) =>
  ({ before, after }: DomainChange) =>
    auditOf(caller, {
      action,
      target: (after ?? before)?.name ?? '',
      metadata: { domain_id: (after ?? before)?.id, before: presentDomain(before), after: presentDomain(after) },
    });

const actorOf = ({ principal }: Caller): DomainActor => ({ tenantId: principal.tenant.id, user: principal.name });

const wish = ({ name, description }: DomainRequest) => ({ name, description: description || null });

export interface ChangeDomains {
  create(caller: Caller, content: DomainRequest): Promise<StoredDomain>;
  update(caller: Caller, target: DomainTarget, content: DomainRequest): Promise<StoredDomain>;
  remove(caller: Caller, target: DomainTarget): Promise<void>;
}

/** Throws `not_found`, `conflict` and `precondition_failed`. */
export const createChangeDomains = (domains: DomainStore): ChangeDomains => ({
  create: async (caller, content) =>
    settled(await domains.create(actorOf(caller), wish(content), record(caller, 'CREATE_DOMAIN'))),
  update: async (caller, target, content) =>
    settled(await domains.update(actorOf(caller), { ...target, ...wish(content) }, record(caller, 'UPDATE_DOMAIN'))),
  async remove(caller, target) {
    settled(await domains.remove(actorOf(caller), target, record(caller, 'DELETE_DOMAIN')));
  },
});
