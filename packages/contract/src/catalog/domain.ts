import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { integerText } from '../fields/integer-field.ts';
import { hasAtMost, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { descriptionText, FACT_TYPES } from './metadata.ts';

const NAME_CHARACTERS_MAX = 256;
const PAGE_MAX = 1000;

/** Returns the key for comparing names of domains, which ignores case. */
export const domainNameKey = (name: string): string => name.normalize('NFC').toLowerCase();

export const domainBody = z
  .strictObject({
    name: storableText('name')
      .overwrite((text) => text.trim())
      .refine((text) => text !== '', 'name must not be empty')
      .refine(
        (text) => hasAtMost(text, NAME_CHARACTERS_MAX),
        `name must have at most ${NAME_CHARACTERS_MAX} characters`,
      )
      .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: NAME_CHARACTERS_MAX })
      .describe('Unique in the tenant; case is ignored'),
    description: descriptionText.optional().describe('Null, empty or absent: no description'),
    owner: storableText('owner')
      .nullable()
      .optional()
      .describe('E-mail of the user who answers questions about it. Null: no owner; absent: unchanged'),
  })
  .meta({ id: 'DomainRequest' });
export type DomainRequest = z.infer<typeof domainBody>;

const domainParams = z.strictObject({ id: z.string() });

const domainsQuery = z.strictObject({
  from: integerText('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size: integerText('size', { min: 1, max: PAGE_MAX }).optional().describe('Default 100'),
});
export type DomainsQuery = z.infer<typeof domainsQuery>;

const domainRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    owner: z.string().nullable().describe('E-mail of a user'),
    object_count: z.int().min(0).describe('Tables, views and datamaps with this domain'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string(),
  })
  .meta({ id: 'Domain' });
export type DomainRecord = z.infer<typeof domainRecord>;

const domainsPage = z
  .object({ total: z.int().min(0), data: z.array(domainRecord).describe('Sorted by name') })
  .meta({ id: 'Domains' });

const DOMAIN_OBJECT_TYPES = [...FACT_TYPES, 'ITEM'] as const;

const domainObject = z.object({
  type: z.enum(DOMAIN_OBJECT_TYPES).describe('ITEM: an item of the marketplace'),
  id: z.string().describe('Id of a datamap or item, or catalog.schema.name of a table or view'),
  name: z.string().describe('Name of a table or view, display name of a datamap, title of an item'),
  catalog: z.string().nullable().describe('Tables and views only'),
  schema: z.string().nullable().describe('Tables and views only'),
  description: z.string().nullable(),
});
export type DomainObject = z.infer<typeof domainObject>;

const domainObjects = z
  .object({
    total: z.int().min(0).describe('Number of objects that the caller may see'),
    data: z.array(domainObject).describe('Sorted by type and name'),
  })
  .meta({ id: 'DomainObjects' });

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
  listDomainObjects: {
    endpoint: 'GET /domains/{id}/objects',
    summary: 'List the tables, views, datamaps and marketplace items of a domain',
    permission: 'datamap:read',
    params: domainParams,
    query: domainsQuery,
    responses: { 200: jsonResponse('Objects', domainObjects) },
    problems: ['not_found'],
  },
  updateDomain: {
    endpoint: 'PUT /domains/{id}',
    summary: 'Change the name, description or owner of a domain; If-Match prevents lost updates',
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
