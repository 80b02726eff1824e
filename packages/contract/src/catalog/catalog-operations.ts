import { API_CREDENTIALS, type Operation } from '../operations/operation.ts';
import {
  catalogPageQuery,
  catalogParams,
  catalogsBody,
  catalogTableBody,
  schemaParams,
  schemasBody,
  tableParams,
  tablesBody,
} from './catalog.ts';

const json = 'application/json';
const reading = {
  subject: 'catalog',
  method: 'GET',
  credentials: API_CREDENTIALS,
  permission: 'datamap:read',
} as const;

/** Catalogs, schemas, tables and views as the last harvest found them. */
export const catalogOperations = {
  listCatalogs: {
    ...reading,
    id: 'listCatalogs',
    path: '/catalog',
    summary: 'List the catalogs, sorted by name',
    query: catalogPageQuery,
    responses: { 200: { description: 'Catalogs', mediaType: json, schema: catalogsBody } },
    problems: ['invalid_page_token', 'audit_unavailable'],
  },
  listCatalogSchemas: {
    ...reading,
    id: 'listCatalogSchemas',
    path: '/catalog/{catalog}',
    summary: 'List the schemas of a catalog, sorted by name',
    params: catalogParams,
    query: catalogPageQuery,
    responses: { 200: { description: 'Schemas', mediaType: json, schema: schemasBody } },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
  },
  listCatalogTables: {
    ...reading,
    id: 'listCatalogTables',
    path: '/catalog/{catalog}/{schema}',
    summary: 'List the tables and views of a schema, sorted by name',
    params: schemaParams,
    query: catalogPageQuery,
    responses: { 200: { description: 'Tables and views', mediaType: json, schema: tablesBody } },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
  },
  getCatalogTable: {
    ...reading,
    id: 'getCatalogTable',
    path: '/catalog/{catalog}/{schema}/{table}',
    summary: 'Get a table or view with its columns. `If-None-Match` with the last ETag returns 304 if nothing changed',
    params: tableParams,
    responses: {
      200: { description: 'The table or view', mediaType: json, schema: catalogTableBody },
      304: { description: 'Not changed since the ETag in `If-None-Match`' },
    },
    problems: ['not_found', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
