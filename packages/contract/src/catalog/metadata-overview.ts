import { z } from 'zod';
import { pageFields } from '../fields/page-query.ts';
import { boundedText } from '../fields/text-field.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';

const TAG_CHARACTERS_MAX = 256;
const NAME_CHARACTERS_MAX = 800;
/** Days in which the reads of a table are counted. */
export const READS_COUNTED_DAYS = 30;

const count = z.int().min(0);

const tagsQuery = z.strictObject({
  contains: boundedText('contains', TAG_CHARACTERS_MAX)
    .optional()
    .describe('Only tags that contain this text, ignoring case'),
  size: pageFields.size,
});

const tagUse = z.object({
  tag: z.string().describe('Its most frequent spelling: case is ignored'),
  count: z
    .int()
    .min(1)
    .describe('Tables, views, published datamaps, their fields, and marketplace items with this tag'),
});
export type TagUse = z.infer<typeof tagUse>;

const tagsBody = z.object({ data: z.array(tagUse).describe('Most frequent first') }).meta({ id: 'Tags' });

const described = {
  table_count: count.describe('Tables and views'),
  described_count: count.describe('Those with a description, or a comment in the engine'),
};

const coverageQuery = z.strictObject(pageFields);

const metadataCoverage = z
  .object({
    ...described,
    total: count.describe('Schemas'),
    data: z
      .array(z.object({ catalog: z.string(), schema: z.string(), ...described }))
      .describe('Schemas, sorted by catalog and name'),
  })
  .meta({ id: 'MetadataCoverage' });
export type MetadataCoverage = z.infer<typeof metadataCoverage>;

const undescribedQuery = z.strictObject({
  catalog: boundedText('catalog', NAME_CHARACTERS_MAX).optional().describe('Only tables of this catalog'),
  schema: boundedText('schema', NAME_CHARACTERS_MAX).optional().describe('Only tables of schemas with this name'),
  ...pageFields,
});

const undescribedTable = z.object({
  id: z.string().describe('Name for `POST /metadata/import`'),
  catalog: z.string(),
  schema: z.string(),
  name: z.string(),
  type: z.enum(['TABLE', 'VIEW']),
  read_count: count.describe(`Statements and downloads that read it in the last ${READS_COUNTED_DAYS} days`),
  column_count: count,
  described_column_count: count,
});
export type UndescribedTable = z.infer<typeof undescribedTable>;

const undescribedTables = z
  .object({ total: count, data: z.array(undescribedTable).describe('Most read first') })
  .meta({ id: 'UndescribedTables' });

/** Counts and lists about the descriptions and tags of the whole catalog. */
export const metadataOverviewOperations = defineOperations('catalog', FOR_API, {
  listTags: {
    endpoint: 'GET /tags',
    summary: 'List the tags in use, most frequent first, such as to suggest them',
    permission: 'datamap:read',
    query: tagsQuery,
    responses: { 200: jsonResponse('Tags', tagsBody) },
  },
  getMetadataCoverage: {
    endpoint: 'GET /metadata/coverage',
    summary: 'Count the tables and views that have a description, by schema',
    permission: 'metadata:write',
    query: coverageQuery,
    responses: { 200: jsonResponse('Counts of the tenant, and of a page of its schemas', metadataCoverage) },
  },
  listUndescribedTables: {
    endpoint: 'GET /metadata/undescribed',
    summary: 'List the tables and views without a description, most read first',
    permission: 'metadata:write',
    query: undescribedQuery,
    responses: { 200: jsonResponse('Tables and views', undescribedTables) },
  },
});
