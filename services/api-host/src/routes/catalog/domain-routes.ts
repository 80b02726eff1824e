import { apiOperations, callerOf, type DomainRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, type RouteResponse, route } from '@sluice/http';
import type { StoredDomain } from '@sluice/store/catalog';
import type { UseCases } from '../../context/use-cases.ts';

type DomainUseCases = Pick<UseCases, 'findDomains' | 'findDomain' | 'createDomain' | 'updateDomain' | 'removeDomain'>;

const presentDomain = ({ version: _version, ...domain }: StoredDomain): DomainRecord => domain;

const domainJson = (status: 200 | 201, domain: StoredDomain): RouteResponse =>
  json(status, presentDomain(domain), {
    etag: entityTag(domain.version),
    ...(status === 201 ? { location: `/domains/${domain.id}` } : {}),
  });

/** GET, POST, PUT and DELETE /domains */
export const domainRoutes = (useCases: DomainUseCases): Route[] => [
  route(apiOperations.listDomains, async (request) => {
    const { total, domains } = await useCases.findDomains(callerOf(request), request.query);
    return json(200, { total, data: domains.map(presentDomain) });
  }),
  route(apiOperations.getDomain, async (request) =>
    domainJson(200, await useCases.findDomain(callerOf(request), request.params.id)),
  ),
  route(apiOperations.createDomain, async (request) =>
    domainJson(201, await useCases.createDomain(callerOf(request), request.body)),
  ),
  route(apiOperations.updateDomain, async (request) => {
    const target = { id: request.params.id, version: matchedVersion(request.headers) };
    return domainJson(200, await useCases.updateDomain(callerOf(request), { target, content: request.body }));
  }),
  route(apiOperations.deleteDomain, async (request) => {
    await useCases.removeDomain(callerOf(request), { id: request.params.id, version: matchedVersion(request.headers) });
    return noContent();
  }),
];
