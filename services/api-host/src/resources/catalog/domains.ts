import {
  type AuditAction,
  apiOperations,
  callerOf,
  type DomainRequest,
  invalidRequest,
  ProblemError,
} from '@sluice/contract';
import { entityTag, json, noContent, type Route, type RouteResponse, route } from '@sluice/http';
import type { StoredDomain } from '@sluice/store/catalog';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { seesAllDatamaps } from '../../use-cases/datamaps/datamap-access.ts';
import { requireFound, type Target, targetOf } from '../target.ts';

const WHAT = 'domain';
const SIZE_DEFAULT = 100;

interface DomainChange {
  readonly before: StoredDomain | null;
  readonly after: StoredDomain | null;
}

/** Returns the part of a domain that a configuration file contains. */
export const presentDomainContent = (domain: StoredDomain | null) =>
  domain === null ? null : { name: domain.name, description: domain.description };

/** Returns the part of a domain that its audit records contain. */
const recordedContent = (domain: StoredDomain | null) =>
  domain === null ? null : { ...presentDomainContent(domain), owner: domain.owner };

/** Finds the owner that a request names. Throws `invalid_request` if no user has the e-mail. */
async function contentOf(tx: TenantTransaction, { name, description, owner }: DomainRequest) {
  const content = { name, description: description || null };
  if (owner === undefined) return content;
  if (owner === null || owner.trim() === '') return { ...content, owner: null };
  const found = await tx.datamaps.findUser(owner.trim());
  if (found !== undefined) return { ...content, owner: found };
  throw invalidRequest({ path: 'body.owner', message: 'is not the e-mail of a user of this tenant' });
}

const recordChange = (tx: TenantTransaction, action: AuditAction, { before, after }: DomainChange): Promise<void> => {
  const { id, name } = after ?? before ?? { id: undefined, name: '' };
  return tx.record(action, name, {
    domain_id: id,
    before: recordedContent(before),
    after: recordedContent(after),
  });
};

const nameTaken = (): ProblemError => new ProblemError('conflict', 'Another domain has this name.');

/** Creates a domain. Throws `conflict` for a name that is taken, and `invalid_request` for an owner who is not a user. */
export async function createDomain(tx: TenantTransaction, request: DomainRequest): Promise<StoredDomain> {
  const after = await tx.domains.insert(await contentOf(tx, request), tx.by);
  if (after === undefined) throw nameTaken();
  await recordChange(tx, 'CREATE_DOMAIN', { before: null, after });
  return after;
}

/** Replaces the content of a domain. Throws `not_found`, `precondition_failed`, and the errors of `createDomain`. */
export async function updateDomain(
  tx: TenantTransaction,
  { id, version }: Target,
  request: DomainRequest,
): Promise<StoredDomain> {
  const before = requireFound(await tx.domains.lock(id), { what: WHAT, version });
  const after = await tx.domains.update(before.id, await contentOf(tx, request), tx.by);
  if (after === undefined) throw nameTaken();
  await recordChange(tx, 'UPDATE_DOMAIN', { before, after });
  return after;
}

/** Removes a domain. Throws `not_found`, `precondition_failed`, and `conflict` for a domain in use. */
async function removeDomain(tx: TenantTransaction, { id, version }: Target): Promise<void> {
  const before = requireFound(await tx.domains.lock(id), { what: WHAT, version });
  if (!(await tx.domains.remove(before.id))) {
    throw new ProblemError(
      'conflict',
      'Tables, views, datamaps or marketplace items use this domain. Remove it from them first.',
    );
  }
  await recordChange(tx, 'DELETE_DOMAIN', { before, after: null });
}

const presentDomain = ({ version: _version, ...domain }: StoredDomain) => domain;

const domainJson = (status: 200 | 201, domain: StoredDomain): RouteResponse =>
  json(status, presentDomain(domain), {
    etag: entityTag(domain.version),
    ...(status === 201 ? { location: `/domains/${domain.id}` } : {}),
  });

/** GET, POST, PUT and DELETE /domains, and what is in a domain */
export const domainRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listDomains, async (request) => {
    const { from = 0, size = SIZE_DEFAULT } = request.query;
    const { total, domains } = await database.read(callerOf(request), async (tx) => {
      const page = await tx.domains.list({ from, size });
      await tx.recordMetadataRead('READ_DOMAINS', 'domains', { from, size });
      return page;
    });
    return json(200, { total, data: domains.map(presentDomain) });
  }),
  route(apiOperations.getDomain, async (request) => {
    const found = await database.read(callerOf(request), async (tx) => {
      const domain = requireFound(await tx.domains.find(request.params.id), { what: WHAT });
      await tx.recordMetadataRead('READ_DOMAINS', domain.name, { domain_id: domain.id });
      return domain;
    });
    return domainJson(200, found);
  }),
  route(apiOperations.listDomainObjects, async (request) => {
    const { principal, params, query } = request;
    const { from = 0, size = SIZE_DEFAULT } = query;
    const { total, objects } = await database.read(callerOf(request), async (tx) => {
      const domain = requireFound(await tx.domains.find(params.id), { what: WHAT });
      await tx.recordMetadataRead('READ_DOMAINS', domain.name, { domain_id: domain.id, from, size });
      const reader = { accountId: principal.id, seesAllDatamaps: seesAllDatamaps(principal), from, size };
      return await tx.domains.objects(domain.id, reader);
    });
    return json(200, { total, data: objects });
  }),
  route(apiOperations.createDomain, async (request) =>
    domainJson(201, await database.change(callerOf(request), (tx) => createDomain(tx, request.body))),
  ),
  route(apiOperations.updateDomain, async (request) => {
    const update = (tx: TenantTransaction) => updateDomain(tx, targetOf(request), request.body);
    return domainJson(200, await database.change(callerOf(request), update));
  }),
  route(apiOperations.deleteDomain, async (request) => {
    await database.change(callerOf(request), (tx) => removeDomain(tx, targetOf(request)));
    return noContent();
  }),
];
