import type { ApiOperationTypes } from '@sluice/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { readVersioned, useClient } from '../../api/use-client.ts';

export type Domain = ApiOperationTypes['getDomain']['result'];
export type DomainObject = ApiOperationTypes['listDomainObjects']['result']['data'][number];

/** Domains, and objects of a domain, on one page. */
export const DOMAIN_PAGE_SIZE = 50;

/** Returns a domain with its entity tag. */
export function useDomain(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.domain(id),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getDomain({ params: { id }, signal, ...options })),
  });
}

/** Returns a page of the domains of the tenant. */
export function useDomainList(from: number) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.domainList(from),
    queryFn: ({ signal }) => client.api.listDomains({ query: { from, size: DOMAIN_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Returns a page of the objects of a domain. */
export function useDomainObjects(id: string, from: number) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.domainObjects(id, from),
    queryFn: ({ signal }) =>
      client.api.listDomainObjects({ params: { id }, query: { from, size: DOMAIN_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}
