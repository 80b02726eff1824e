import type { DatamapRecord, FactType } from '@sluice/contract';

/** Columns that datamaps, tables and views have. */
export interface FactRow {
  readonly fact_id: string;
  readonly type: FactType;
  readonly description: string | null;
  readonly tags: string[];
  readonly version: string;
  readonly created: Date;
  readonly updated: Date;
  readonly updated_by: string | null;
  readonly view_count: string | null;
  readonly queries: string | null;
  readonly favourite_count: string | null;
  readonly upvote_count: string | null;
  readonly downvote_count: string | null;
  readonly rating_count: string | null;
  readonly rating_sum: string | null;
  readonly last_executed: Date | null;
  readonly activity_id: string | null;
  readonly is_favourite: boolean | null;
  readonly rating: number | null;
  readonly vote: 'UP' | 'DOWN' | null;
  readonly viewed: string | null;
  readonly last_viewed: Date | null;
  readonly activity_created: Date | null;
  readonly activity_updated: Date | null;
  readonly source_id: string | null;
  readonly source_name: string | null;
  readonly vendor_name: string | null;
  readonly location: string | null;
  readonly domains: string[];
  readonly name: string;
}

/** Reader of a record, and the record's search score. */
export interface RecordContext {
  readonly accountId: string;
  readonly score: number;
}

/** Default number of rows in a preview. */
export const LIMIT_DEFAULT = 1000;

const count = (digits: string | null): number => Number(digits ?? 0);
export const timeOf = (moment: Date | null): number | null => moment?.getTime() ?? null;

const average = (row: FactRow): number => {
  const ratings = count(row.rating_count);
  return ratings === 0 ? 0 : Math.round((count(row.rating_sum) / ratings) * 100) / 100;
};

type OwnKey =
  | 'id'
  | 'remarks'
  | 'database_name'
  | 'schema'
  | 'catalog'
  | 'field_count'
  | 'fields'
  | 'reads'
  | 'datamap';
type CommonRecord = Omit<DatamapRecord, OwnKey>;

/** Returns the members that all types of records have. */
export const commonOf = (row: FactRow, { accountId, score }: RecordContext): CommonRecord => ({
  score,
  description: row.description,
  source_id: row.source_id ?? '',
  source_name: row.source_name ?? '',
  created_ts: row.created.getTime(),
  updated_ts: row.updated.getTime(),
  type: row.type,
  vendor_name: row.vendor_name ?? '',
  location: row.location ?? '',
  tags: row.tags,
  average_rating: average(row),
  favourite_count: count(row.favourite_count),
  tag_count: row.tags.length,
  answer_count: 0,
  query_count: count(row.queries),
  comment_count: 0,
  view_count: count(row.view_count),
  upvote_count: count(row.upvote_count),
  downvote_count: count(row.downvote_count),
  topic_ids: row.domains,
  pcode_ids: null,
  score_breakdown: [],
  score_breakdown_details: [],
  recommendations: [],
  user_activity: {
    id: row.activity_id ?? '',
    type: 'FACT',
    associated_id: row.fact_id,
    user_id: accountId,
    is_favourite: row.is_favourite,
    rating: row.rating,
    vote: row.vote,
    viewed: count(row.viewed),
    marketplace: null,
    created_timestamp: timeOf(row.activity_created),
    last_updated_timestamp: timeOf(row.activity_updated),
    last_viewed_timestamp: row.last_viewed?.getTime() ?? 0,
  },
});

/** Returns the `datamap` object of a table or view, which cannot be published and is visible to all users. */
export const defaultDatamap = (row: FactRow): DatamapRecord['datamap'] => ({
  name: row.name,
  display_name: row.name,
  state: 'PUBLISHED',
  import_type: 'NONE',
  fact_map: {},
  assigned: { to: null, sme: null, from: '', last_updated_timestamp: row.updated.getTime() },
  priority: 'MEDIUM',
  config: {
    is_advanced_mode: false,
    external_query_id: null,
    external_query_name: null,
    selected_data_source_id: row.source_id ?? '',
    advance_selected_data_source_id: null,
    limit: LIMIT_DEFAULT,
  },
  advanced_mode: { sql: null, source_ids: [], sources: null },
  parameters: [],
  created_by: null,
  updated_by: row.updated_by,
  last_published_by: null,
  created_timestamp: row.created.getTime(),
  last_updated_timestamp: row.updated.getTime(),
  last_published_timestamp: null,
  last_execution_timestamp: null,
  datamap_fields: [],
  explainer: [],
  explanation: '',
});
