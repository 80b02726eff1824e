import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { API_CREDENTIALS } from '../operations/operation.ts';
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
import { catalogFilesBody, catalogFilesQuery } from './catalog-file.ts';

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
  listCatalogFiles: {
    endpoint: 'GET /catalog/files',
    summary:
      'List the schemas of the catalog `files`, and the files of `SLUICE_DATA_DIR`: how each was read, or why it was not',
    query: catalogFilesQuery,
    responses: { 200: jsonResponse('Schemas and files', catalogFilesBody) },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
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
