import { z } from 'zod';
import { FACT_TYPES } from '../catalog/metadata.ts';
import { epochMs } from '../fields/epoch-field.ts';
import { parameterDeclarationBody } from '../queries/parameter-declaration.ts';

const DATAMAP_STATES = ['DRAFT', 'IN_PROGRESS', 'PUBLISHED', 'ARCHIVED'] as const;
export type DatamapState = (typeof DATAMAP_STATES)[number];
export const DATAMAP_PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type DatamapPriority = (typeof DATAMAP_PRIORITIES)[number];
export const DATAMAP_VOTES = ['UP', 'DOWN'] as const;

const count = z.int().min(0);
const user = z.string().nullable().describe('E-mail of a user or client id of a service account');
const nothingYet = z.array(z.unknown()).describe('Always empty (reserved)');

const datamapField = z
  .object({
    name: z.string(),
    data_type: z.int().describe('Constant of java.sql.Types'),
    java_type: z.string(),
    column_size: z.int(),
    decimal_digits: z.int(),
    description: z.string(),
    tags: z.array(z.string()),
    auto_increment: z.string(),
  })
  .meta({ id: 'DatamapField' });
export type DatamapField = z.infer<typeof datamapField>;

const datamap = z
  .object({
    name: z.string(),
    display_name: z.string(),
    state: z.enum(DATAMAP_STATES),
    import_type: z.string(),
    fact_map: z.record(z.string(), z.unknown()),
    assigned: z.object({
      to: user.describe('The owner'),
      sme: user.describe('The subject matter expert (sme) of this datamap'),
      from: z.string(),
      last_updated_timestamp: epochMs,
    }),
    priority: z.enum(DATAMAP_PRIORITIES),
    config: z.object({
      is_advanced_mode: z.boolean(),
      external_query_id: z.string().nullable(),
      external_query_name: z.string().nullable(),
      selected_data_source_id: z.string(),
      advance_selected_data_source_id: z.string().nullable(),
      limit: z.int().describe('Number of rows in a preview'),
    }),
    advanced_mode: z.object({
      sql: z.string().nullable(),
      source_ids: z.array(z.string()),
      sources: z.array(z.unknown()).nullable(),
    }),
    parameters: z.array(parameterDeclarationBody).describe('Parameters of the SQL, each `$name`'),
    created_by: user,
    updated_by: user,
    last_published_by: user,
    created_timestamp: epochMs,
    last_updated_timestamp: epochMs,
    last_published_timestamp: epochMs.nullable(),
    last_execution_timestamp: epochMs.nullable(),
    datamap_fields: z.array(datamapField),
    explainer: nothingYet,
    explanation: z.string(),
  })
  .meta({ id: 'Datamap' });

const userActivity = z
  .object({
    id: z.string().describe('Empty until there is user activity'),
    type: z.literal('FACT'),
    associated_id: z.string().describe('Id of the datamap'),
    user_id: z.string(),
    is_favourite: z.boolean().nullable(),
    rating: z.number().nullable(),
    vote: z.enum(DATAMAP_VOTES).nullable(),
    viewed: count,
    marketplace: z.unknown().nullable(),
    created_timestamp: epochMs.nullable(),
    last_updated_timestamp: epochMs.nullable(),
    last_viewed_timestamp: epochMs.describe('0 if it was never viewed'),
  })
  .meta({ id: 'UserActivity' });
export type UserActivity = z.infer<typeof userActivity>;

/** Item of a search result, and response of GET /datamap/{id}. Every key is always present. */
export const datamapRecord = z
  .object({
    id: z.string().describe('Id of a datamap, or catalog.schema.name of a table or view as in an import'),
    score: z.number().describe('Relevance from 0 to 1; 0 without search words'),
    remarks: z.string().nullable().describe('Comment of a table or view in the engine'),
    description: z.string().nullable(),
    source_id: z.string(),
    source_name: z.string(),
    created_ts: epochMs,
    updated_ts: epochMs,
    type: z.enum(FACT_TYPES),
    database_name: z.string(),
    vendor_name: z.string(),
    location: z.string().describe('Host of the data'),
    schema: z.string(),
    catalog: z.string(),
    field_count: count,
    tags: z.array(z.string()),
    fields: z.array(datamapField).describe('Columns of a table or view. The fields of a datamap are below'),
    average_rating: z.number(),
    favourite_count: count,
    tag_count: count,
    answer_count: count,
    query_count: count,
    comment_count: count,
    view_count: count,
    upvote_count: count,
    downvote_count: count,
    topic_ids: z.array(z.string()).describe('Domain ids'),
    pcode_ids: z.array(z.string()).nullable(),
    score_breakdown: nothingYet,
    score_breakdown_details: nothingYet,
    recommendations: nothingYet,
    reads: z
      .array(z.string())
      .nullable()
      .describe(
        'Tables and views that the SQL reads, as `catalog.schema.name`, when it was saved. Trino names the tables of a view, DuckDB the view. Null: saved by an earlier version',
      ),
    datamap,
    user_activity: userActivity,
  })
  .meta({ id: 'DatamapRecord' });
export type DatamapRecord = z.infer<typeof datamapRecord>;
