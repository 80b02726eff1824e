import { type AuditAction, auditOf, type Caller, type DomainRequest, ProblemError } from '@sluice/contract';
import type {
  DomainActor,
  DomainChange,
  DomainRejection,
  DomainStore,
  DomainTarget,
  StoredDomain,
} from '@sluice/store/catalog';

export interface DomainChangeInput {
  readonly target: DomainTarget;
  readonly content: DomainRequest;
}

/** Creates a domain. Throws `conflict` for a name that is taken. */
type CreateDomain = (caller: Caller, content: DomainRequest) => Promise<StoredDomain>;
/** Replaces the content of a domain. Throws `not_found`, `precondition_failed`, and `conflict` for a name that is taken. */
type UpdateDomain = (caller: Caller, input: DomainChangeInput) => Promise<StoredDomain>;
/** Removes a domain. Throws `not_found`, `precondition_failed`, and `conflict` for a domain in use. */
type RemoveDomain = (caller: Caller, target: DomainTarget) => Promise<void>;

const rejectChange = (refusal: DomainRejection): never => {
  switch (refusal) {
    case 'missing':
      throw new ProblemError('not_found', 'There is no such domain.');
    case 'other version':
      throw new ProblemError('precondition_failed', 'The domain was changed meanwhile. Read it again.');
    case 'name taken':
      throw new ProblemError('conflict', 'Another domain has this name.');
    case 'in use':
      throw new ProblemError('conflict', 'Tables, views or datamaps use this domain. Remove it from them first.');
    default:
      return refusal satisfies never;
  }
};

const requireChanged = (outcome: StoredDomain | DomainRejection): StoredDomain =>
  typeof outcome === 'string' ? rejectChange(outcome) : outcome;

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

const contentOf = ({ name, description }: DomainRequest) => ({ name, description: description || null });

export const createCreateDomain =
  ({ domains }: { readonly domains: Pick<DomainStore, 'create'> }): CreateDomain =>
  async (caller, content) =>
    requireChanged(await domains.create(actorOf(caller), contentOf(content), record(caller, 'CREATE_DOMAIN')));

export const createUpdateDomain =
  ({ domains }: { readonly domains: Pick<DomainStore, 'update'> }): UpdateDomain =>
  async (caller, { target, content }) => {
    const change = { ...target, ...contentOf(content) };
    return requireChanged(await domains.update(actorOf(caller), change, record(caller, 'UPDATE_DOMAIN')));
  };

export const createRemoveDomain =
  ({ domains }: { readonly domains: Pick<DomainStore, 'remove'> }): RemoveDomain =>
  async (caller, target) => {
    requireChanged(await domains.remove(actorOf(caller), target, record(caller, 'DELETE_DOMAIN')));
  };
