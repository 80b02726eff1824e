import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { boundedText } from '../fields/text-field.ts';
import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { API_CREDENTIALS } from '../operations/operation.ts';
import { catalogPageQuery, schemasBody } from './catalog.ts';

const PATH_CHARACTERS_MAX = 4_096;

const fileState = z.enum(['served', 'problem']);

const catalogFilesQuery = z.strictObject({
  ...catalogPageQuery.shape,
  files_after: boundedText('files_after', PATH_CHARACTERS_MAX)
    .optional()
    .describe('`next_files_after` of the page of files before'),
  state: fileState.optional().describe('Only files in this state'),
});
export type CatalogFilesQuery = z.infer<typeof catalogFilesQuery>;

/** A file of `SLUICE_DATA_DIR`, with what became of it. */
export const catalogFile = z
  .object({
    path: z.string().describe('Path below the folder'),
    state: fileState.describe('`served`: a view reads it. `problem`: no view does, and `problem` says why'),
    view: z.string().nullable().describe('Full name of the view that reads it, quoted where SQL needs it'),
    rows: z.int().min(0).nullable().describe('Null: not counted, or not yet. Large files are counted after the start'),
    columns: z.int().min(0).nullable(),
    bytes: z.int().min(0),
    modified_ts: epochMs,
    format: z.enum(['csv', 'json', 'ndjson', 'parquet']).nullable().describe('Null: a format that is not read'),
    compression: z.enum(['gzip', 'zstd']).nullable(),
    separator: z.string().nullable().describe('Between the values of a line'),
    header: z.boolean().nullable().describe('Whether the first line has the names of the columns'),
    encoding: z.string().nullable(),
    problem: z.string().nullable().describe('Why the file is not served, and what to do'),
  })
  .meta({ id: 'CatalogFile' });
export type CatalogFile = z.infer<typeof catalogFile>;

const catalogFilesBody = schemasBody
  .extend({
    files: z.array(catalogFile).describe('Files, sorted by path'),
    next_files_after: z
      .string()
      .optional()
      .describe('`files_after` of the next page of files. Absent on the last page'),
    file_count: z.int().min(0).describe('Number of all files, also of other pages'),
    problem_count: z.int().min(0).describe('Number of all files in the state `problem`'),
  })
  .meta({ id: 'CatalogFiles' });
export type CatalogFiles = z.infer<typeof catalogFilesBody>;

const READING = { credentials: API_CREDENTIALS, permission: 'datamap:read' } as const;

/** Operations of the files of `SLUICE_DATA_DIR`. */
export const catalogFileOperations = defineOperations('catalog', READING, {
  listCatalogFiles: {
    endpoint: 'GET /catalog/files',
    summary:
      'List the schemas of the catalog `files`, and the files of `SLUICE_DATA_DIR`: how each was read, or why it was not',
    query: catalogFilesQuery,
    responses: { 200: jsonResponse('Schemas and files', catalogFilesBody) },
    problems: ['invalid_page_token', 'not_found', 'audit_unavailable'],
  },
});
