import { z } from 'zod';
import { descriptionText, displayNameText, FACT_TYPES } from '../catalog/metadata.ts';
import { integerField } from '../fields/integer-field.ts';
import { tagList } from '../fields/tag.ts';
import { boundedText, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { parameterDeclarations } from '../queries/parameter-declaration.ts';
import { SQL_BYTES_MAX } from '../queries/query.ts';
import { DATAMAP_PRIORITIES, DATAMAP_VOTES, datamapRecord } from './datamap-record.ts';

/** Maximum number of records that paging can reach; `max_supported_records` in responses. */
export const SEARCH_RECORDS_MAX = 10_000;
/** Limit for the texts of a page of search results. */
export const SEARCH_PAGE_BYTES_MAX = 16 * 1024 * 1024;
const SIZE_DEFAULT = 10;
const QUESTION_CHARACTERS_MAX = 1000;
const NAME_CHARACTERS_MAX = 255;
const EXPLANATION_CHARACTERS_MAX = 100_000;
const PREVIEW_ROWS_MAX = 1_000_000;
const SOURCE_CHARACTERS_MAX = 256;

const sql = storableText('sql')
  .refine((text) => text.trim() !== '', 'sql must not be empty or blank')
  .refine(
    (text) => new TextEncoder().encode(text).length <= SQL_BYTES_MAX,
    `sql must have at most ${SQL_BYTES_MAX} bytes of UTF-8`,
  )
  .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: SQL_BYTES_MAX })
  .describe('One read-only SQL statement. The engine describes it before it is saved');

const content = {
  description: descriptionText.optional().describe('Null or empty: removes the description'),
  tags: tagList('tags').optional().describe('Replaces all tags'),
  sql: sql.nullable().optional(),
  parameters: parameterDeclarations.optional(),
  priority: z
    .enum(DATAMAP_PRIORITIES, { error: `priority must be one of ${DATAMAP_PRIORITIES.join(', ')}` })
    .optional(),
  explanation: boundedText('explanation', EXPLANATION_CHARACTERS_MAX).optional(),
  sme: storableText('sme').nullable().optional().describe('E-mail of the subject matter expert'),
  source_id: boundedText('source_id', SOURCE_CHARACTERS_MAX).optional().describe('The main data source'),
  limit: integerField('limit', { min: 1, max: PREVIEW_ROWS_MAX }).optional().describe('Number of rows in a preview'),
};

const name = boundedText('name', NAME_CHARACTERS_MAX)
  .overwrite((text) => text.trim())
  .refine((text) => text !== '', 'name must not be empty')
  .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1 })
  .describe('White space around it is removed');

export const createDatamapBody = z
  .strictObject({
    name,
    display_name: displayNameText.optional().describe('Default: the name. White space around it is removed'),
    ...content,
  })
  .meta({ id: 'CreateDatamapRequest' });
export type CreateDatamapRequest = z.infer<typeof createDatamapBody>;

export const updateDatamapBody = z
  .strictObject({
    name: name.optional(),
    display_name: displayNameText.optional().describe('White space around it is removed'),
    ...content,
  })
  .meta({ id: 'UpdateDatamapRequest' });
export type UpdateDatamapRequest = z.infer<typeof updateDatamapBody>;

export const datamapActivityBody = z
  .strictObject({
    is_favourite: z.boolean({ error: 'is_favourite must be true, false or null' }).nullable().optional(),
    rating: integerField('rating', {
      min: 1,
      max: 5,
      type: 'must be an integer from 1 to 5, or null',
      tooSmall: 'must be from 1 to 5',
      tooLarge: 'must be from 1 to 5',
    })
      .nullable()
      .optional(),
    vote: z
      .enum([...DATAMAP_VOTES, 'up', 'down'], { error: 'vote must be up, down or null' })
      .transform((vote) => (vote.toUpperCase() === 'UP' ? 'UP' : 'DOWN'))
      .nullable()
      .optional(),
  })
  .meta({ id: 'DatamapActivityRequest' });
export type DatamapActivityRequest = z.infer<typeof datamapActivityBody>;

/** Sort keys of a search. */
const SEARCH_SORT_KEYS = ['updated_ts', 'curated_info.query_count', 'relevance', 'table_name.lowercase'] as const;
export type SearchSortKey = (typeof SEARCH_SORT_KEYS)[number];

export const datamapSearchBody = z
  .strictObject({
    q: boundedText('q', QUESTION_CHARACTERS_MAX)
      .optional()
      .describe(
        'Search words. All of them must match; the last one also matches the start of a word, and three letters or more a part of a name',
      ),
    from: integerField('from', { min: 0, max: SEARCH_RECORDS_MAX }).default(0),
    size: integerField('size', { min: 1, max: SEARCH_RECORDS_MAX }).default(SIZE_DEFAULT),
    sort_key: z
      .enum(SEARCH_SORT_KEYS, { error: `sort_key must be one of ${SEARCH_SORT_KEYS.join(', ')}` })
      .optional()
      .describe('Default: relevance with q, updated_ts without q'),
    sort_value: z.enum(['asc', 'desc'], { error: 'sort_value must be asc or desc' }).optional(),
    advance_options: z
      .strictObject({
        type: z.enum(FACT_TYPES, { error: 'type must be DATAMAP, TABLE or VIEW' }).optional(),
        own_drafts: z
          .boolean({ error: 'own_drafts must be true or false' })
          .optional()
          .describe(
            'True: only your own datamaps in the states DRAFT and IN_PROGRESS, last changed first; q is a part of the name',
          ),
      })
      .optional(),
  })
  .refine(({ advance_options: { type = 'DATAMAP', own_drafts } = {} }) => own_drafts !== true || type === 'DATAMAP', {
    path: ['advance_options', 'own_drafts'],
    message: 'own_drafts needs the type DATAMAP; tables and views have no drafts',
  })
  .refine(
    ({ advance_options, sort_key, sort_value }) =>
      advance_options?.own_drafts !== true || (sort_key ?? sort_value) === undefined,
    {
      path: ['sort_key'],
      message: 'sort_key and sort_value must be absent with own_drafts, which sorts by updated_ts',
    },
  )
  .refine(({ from, size }) => from + size <= SEARCH_RECORDS_MAX, {
    path: ['from'],
    message: `from and size together must be at most ${SEARCH_RECORDS_MAX}; narrow the search instead`,
  })
  .meta({ id: 'DatamapSearchRequest' });
export type DatamapSearchRequest = z.infer<typeof datamapSearchBody>;

export const datamapSearchResponse = z
  .object({
    total: z.int().min(0).describe('Number of matches that the caller may see'),
    max_supported_records: z.int(),
    data: z.array(datamapRecord),
  })
  .meta({ id: 'DatamapSearchResponse' });
export type DatamapSearchResponse = z.infer<typeof datamapSearchResponse>;

const datamapParams = z.strictObject({ id: z.string() });

/** 100 parameters with 1,000 allowed values each. */
const DATAMAP_BODY = { valuesMax: 110_000 };
const record = (description: string) => jsonResponse(description, datamapRecord);

/** Failures of the engine when it describes the SQL before it is saved. */
const SQL_PROBLEMS = [
  'access_denied',
  'syntax_error',
  'read_only',
  'table_not_found',
  'column_not_found',
  'function_not_found',
  'semantic_error',
  'type_error',
  'not_supported',
  'resource_limit',
  'permission_denied',
  'time_limit',
  'engine_unavailable',
  'audit_unavailable',
  'engine_crashed',
  'too_many_requests',
] as const;

/** A saved query is a draft, which needs no right to publish. */
const orOwnDrafts = { permission: 'query:run', covers: 'your own drafts' } as const;

const change = {
  permission: 'datamap:write',
  params: datamapParams,
  problems: ['not_found', 'access_denied', 'conflict', 'precondition_failed'],
} as const;

export const datamapOperations = defineOperations('datamaps', FOR_API, {
  searchDatamaps: {
    endpoint: 'POST /datamap/search',
    summary: 'Search datamaps, tables and views',
    permission: 'datamap:read',
    orPermission: orOwnDrafts,
    body: jsonBody(datamapSearchBody),
    responses: {
      200: jsonResponse('A page of results', datamapSearchResponse),
    },
  },
  createDatamap: {
    endpoint: 'POST /datamap',
    summary: 'Create a datamap. The engine describes its SQL first',
    permission: 'datamap:write',
    orPermission: orOwnDrafts,
    body: { ...jsonBody(createDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 201: record('The new datamap, in the state DRAFT') },
    problems: SQL_PROBLEMS,
  },
  getDatamap: {
    endpoint: 'GET /datamap/{id}',
    summary: 'Get a datamap and count a view',
    permission: 'datamap:read',
    orPermission: orOwnDrafts,
    params: datamapParams,
    responses: { 200: record('The datamap') },
    problems: ['not_found'],
    hasEffect: true,
  },
  updateDatamap: {
    endpoint: 'PUT /datamap/{id}',
    summary: 'Change a datamap. Absent fields keep their value; If-Match prevents lost updates',
    permission: 'datamap:write',
    orPermission: orOwnDrafts,
    params: datamapParams,
    body: { ...jsonBody(updateDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 200: record('The changed datamap') },
    problems: [...change.problems, ...SQL_PROBLEMS],
  },
  deleteDatamap: {
    ...change,
    endpoint: 'DELETE /datamap/{id}',
    orPermission: orOwnDrafts,
    summary: 'Delete a datamap in the state DRAFT or ARCHIVED',
    responses: { 204: { description: 'Deleted' } },
  },
  publishDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/publish',
    summary: 'Publish a datamap to all users of the tenant',
    responses: { 200: record('The datamap, in the state PUBLISHED') },
  },
  unpublishDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/unpublish',
    summary: 'Unpublish a datamap',
    responses: { 200: record('The datamap, in the state IN_PROGRESS') },
  },
  archiveDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/archive',
    summary: 'Archive a datamap',
    responses: { 200: record('The datamap, in the state ARCHIVED') },
  },
  setDatamapActivity: {
    endpoint: 'PUT /datamap/{id}/activity',
    summary: "Set the caller's own favourite, rating and vote",
    permission: 'datamap:read',
    params: datamapParams,
    body: jsonBody(datamapActivityBody),
    responses: { 200: record('The datamap, with the new user_activity') },
    problems: ['not_found'],
  },
});
