import { apiOperations, type DomainRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredDomain } from '@sluice/store/catalog';
import type { ApiContext } from '../../context/context.ts';
import { createChangeDomains } from '../../use-cases/catalog/change-domains.ts';
import { createFindDomains } from '../../use-cases/catalog/find-domains.ts';

const bodyOf = ({ version: _version, ...domain }: StoredDomain): DomainRecord => domain;

const answer = (status: 200 | 201, domain: StoredDomain) =>
  json(status, bodyOf(domain), {
    etag: entityTag(domain.version),
    ...(status === 201 ? { location: `/domains/${domain.id}` } : {}),
  });

/** GET, POST, PUT and DELETE /domains */
export function domainRoutes({ stores }: Pick<ApiContext, 'stores'>): Route[] {
  const find = createFindDomains(stores);
  const change = createChangeDomains(stores.domains);
  return [
    route(apiOperations.listDomains, async ({ query, ...caller }) => {
      const { total, domains } = await find.list(caller, query);
      return json(200, { total, data: domains.map(bodyOf) });
    }),
    route(apiOperations.getDomain, async ({ params, ...caller }) => answer(200, await find.one(caller, params.id))),
    route(apiOperations.createDomain, async ({ body, ...caller }) => answer(201, await change.create(caller, body))),
    route(apiOperations.updateDomain, async ({ params, body, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, await change.update(caller, target, body));
    }),
    route(apiOperations.deleteDomain, async ({ params, headers, ...caller }) => {
      await change.remove(caller, { id: params.id, version: matchedVersion(headers) });
      return noContent();
    }),
  ];
}
