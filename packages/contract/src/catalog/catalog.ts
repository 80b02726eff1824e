import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { keysetFields, keysetPage } from '../fields/page-query.ts';
import { boundedText } from '../fields/text-field.ts';
import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { API_CREDENTIALS } from '../operations/operation.ts';

const PREFIX_CHARACTERS_MAX = 800;

export const catalogPageQuery = z.strictObject({
  prefix: boundedText('prefix', PREFIX_CHARACTERS_MAX)
    .optional()
    .describe('Only names that begin with this string, with case as in the engine'),
  ...keysetFields,
});
export type CatalogPageQuery = z.infer<typeof catalogPageQuery>;

const catalogParams = z.strictObject({ catalog: z.string() });
const schemaParams = z.strictObject({ catalog: z.string(), schema: z.string() });
const tableParams = z.strictObject({ catalog: z.string(), schema: z.string(), table: z.string() });

const tableCount = z.int().min(0).describe('Number of tables and views');

const catalogEntry = z
  .object({
    name: z.string(),
    vendor_name: z.string(),
    location: z.string().describe('Host of the data'),
    schema_count: z.int().min(0),
    table_count: tableCount,
    harvested_ts: epochMs.nullable(),
  })
  .meta({ id: 'Catalog' });

const schemaEntry = z.object({ name: z.string(), table_count: tableCount }).meta({ id: 'CatalogSchema' });

const described = {
  type: z.enum(['TABLE', 'VIEW']),
  description: z.string().nullable(),
  remarks: z.string().nullable().describe('Comment in the engine'),
  tags: z.array(z.string()),
};

const tableEntry = z.object({ name: z.string(), ...described }).meta({ id: 'CatalogTableEntry' });

export const catalogTableBody = z
  .object({
    id: z.string().describe('Name for `POST /metadata/import`: `catalog.schema.table`, with parts quoted where needed'),
    catalog: z.string(),
    schema: z.string(),
    name: z.string(),
    ...described,
    domains: z.array(z.string()).describe('Domain ids'),
    owner: z.string().nullable().describe('E-mail of the user who answers questions about it'),
    updated_ts: epochMs.describe('Epoch milliseconds of the last change of the metadata'),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        description: z.string().nullable(),
        tags: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'CatalogTable' });
export type CatalogTable = z.infer<typeof catalogTableBody>;

export const catalogsBody = keysetPage(catalogEntry).meta({ id: 'Catalogs' });
export type Catalogs = z.infer<typeof catalogsBody>;

export const schemasBody = keysetPage(schemaEntry).meta({ id: 'CatalogSchemas' });
export type CatalogSchemas = z.infer<typeof schemasBody>;

export const tablesBody = keysetPage(tableEntry).meta({ id: 'CatalogTables' });
export type CatalogTables = z.infer<typeof tablesBody>;

const READING = { credentials: API_CREDENTIALS, permission: 'datamap:read' } as const;

/** Catalogs, schemas, tables and views as the last harvest found them. */
export const catalogOperations = defineOperations('catalog', READING, {
  listCatalogs: {
    endpoint: 'GET /catalog',
    summary: 'List the catalogs, sorted by name',
    query: catalogPageQuery,
    responses: { 200: jsonResponse('Catalogs', catalogsBody) },
    problems: ['invalid_page_token', 'audit_unavailable'],
  },
  listCatalogSchemas: {
    endpoint: 'GET /catalog/{catalog}',
    summary: 'List the schemas of a catalog, sorted by name',
    params: catalogParams,
    query: catalogPageQuery,
    responses: { 200: jsonResponse('Schemas', schemasBody) },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
  },
  listCatalogTables: {
    endpoint: 'GET /catalog/{catalog}/{schema}',
    summary: 'List the tables and views of a schema, sorted by name',
    params: schemaParams,
    query: catalogPageQuery,
    responses: { 200: jsonResponse('Tables and views', tablesBody) },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
  },
  getCatalogTable: {
    endpoint: 'GET /catalog/{catalog}/{schema}/{table}',
    summary: 'Get a table or view with its columns. `If-None-Match` with the last ETag returns 304 if nothing changed',
    params: tableParams,
    responses: {
      200: jsonResponse('The table or view', catalogTableBody),
      304: { description: 'Not changed since the ETag in `If-None-Match`' },
    },
    problems: ['not_found', 'audit_unavailable'],
  },
});
