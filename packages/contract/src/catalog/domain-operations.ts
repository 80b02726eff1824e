import { jsonBody, type Operation } from '../operations/operation.ts';
import { domainBody, domainParams, domainRecord, domainsPage, domainsQuery } from './domain.ts';

const domain = (description: string) => ({ description, mediaType: 'application/json', schema: domainRecord });

export const domainOperations = {
  listDomains: {
    id: 'listDomains',
    method: 'GET',
    path: '/domains',
    summary: 'List the domains of the tenant, sorted by name',
    credentials: ['idtoken'],
    permission: 'datamap:read',
    query: domainsQuery,
    responses: { 200: { description: 'Domains', mediaType: 'application/json', schema: domainsPage } },
    problems: [],
  },
  createDomain: {
    id: 'createDomain',
    method: 'POST',
    path: '/domains',
    summary: 'Create a domain',
    credentials: ['idtoken'],
    permission: 'metadata:write',
    body: jsonBody(domainBody),
    responses: { 201: domain('The new domain') },
    problems: ['conflict'],
  },
  getDomain: {
    id: 'getDomain',
    method: 'GET',
    path: '/domains/{id}',
    summary: 'Get a domain',
    credentials: ['idtoken'],
    permission: 'datamap:read',
    params: domainParams,
    responses: { 200: domain('The domain') },
    problems: ['not_found'],
  },
  updateDomain: {
    id: 'updateDomain',
    method: 'PUT',
    path: '/domains/{id}',
    summary: 'Change the name or description of a domain; If-Match prevents lost updates',
    credentials: ['idtoken'],
    permission: 'metadata:write',
    params: domainParams,
    body: jsonBody(domainBody),
    responses: { 200: domain('The changed domain') },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  },
  deleteDomain: {
    id: 'deleteDomain',
    method: 'DELETE',
    path: '/domains/{id}',
    summary: 'Delete an unused domain; If-Match prevents lost updates',
    credentials: ['idtoken'],
    permission: 'metadata:write',
    params: domainParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  },
} as const satisfies Record<string, Operation>;
