import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { domainBody, domainParams, domainRecord, domainsPage, domainsQuery } from './domain.ts';

const domain = (description: string) => jsonResponse(description, domainRecord);

export const domainOperations = defineOperations('catalog', FOR_API, {
  listDomains: {
    endpoint: 'GET /domains',
    summary: 'List the domains of the tenant, sorted by name',
    permission: 'datamap:read',
    query: domainsQuery,
    responses: { 200: jsonResponse('Domains', domainsPage) },
  },
  createDomain: {
    endpoint: 'POST /domains',
    summary: 'Create a domain',
    permission: 'metadata:write',
    body: jsonBody(domainBody),
    responses: { 201: domain('The new domain') },
    problems: ['conflict'],
  },
  getDomain: {
    endpoint: 'GET /domains/{id}',
    summary: 'Get a domain',
    permission: 'datamap:read',
    params: domainParams,
    responses: { 200: domain('The domain') },
    problems: ['not_found'],
  },
  updateDomain: {
    endpoint: 'PUT /domains/{id}',
    summary: 'Change the name or description of a domain; If-Match prevents lost updates',
    permission: 'metadata:write',
    params: domainParams,
    body: jsonBody(domainBody),
    responses: { 200: domain('The changed domain') },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  },
  deleteDomain: {
    endpoint: 'DELETE /domains/{id}',
    summary: 'Delete an unused domain; If-Match prevents lost updates',
    permission: 'metadata:write',
    params: domainParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  },
});
