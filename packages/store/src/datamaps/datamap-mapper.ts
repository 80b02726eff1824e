import type {
  DatamapField,
  DatamapPriority,
  DatamapRecord,
  DatamapState,
  FactType,
  ParameterDeclaration,
} from '@sluice/contract';
import { jdbcTypeOf } from '@sluice/contract';

interface FactRow {
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

export interface DatamapRow extends FactRow {
  readonly display_name: string;
  readonly state: DatamapState;
  readonly priority: DatamapPriority;
  readonly owner_id: string;
  readonly owner_name: string;
  readonly steward_id: string | null;
  readonly steward_name: string | null;
  readonly sql: string | null;
  readonly explanation: string | null;
  readonly config: { readonly source_id?: string; readonly limit?: number };
  readonly created_by: string;
  readonly last_published: Date | null;
  readonly last_published_by: string | null;
  readonly reads: string[] | null;
  readonly parameters: readonly ParameterDeclaration[];
  readonly datamap_fields: [string, number, string, number, number, string | null, string[] | null][] | null;
}

export interface TableRow extends FactRow {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly remarks: string | null;
  readonly columns: [string, string, string | null, string[] | null][] | null;
}

/** Reader of a record, and the record's search score. */
interface RecordContext {
  readonly accountId: string;
  readonly score: number;
}

/** Default number of rows in a preview. */
const LIMIT_DEFAULT = 1000;

const count = (digits: string | null): number => Number(digits ?? 0);
const time = (moment: Date | null): number | null => moment?.getTime() ?? null;

const average = (row: FactRow): number => {
  const ratings = count(row.rating_count);
  return ratings === 0 ? 0 : Math.round((count(row.rating_sum) / ratings) * 100) / 100;
};

const datamapFields = (row: DatamapRow): DatamapField[] =>
  (row.datamap_fields ?? []).map(
    ([name, data_type, java_type, column_size, decimal_digits, description, tags]): DatamapField => ({
      name,
      data_type,
      java_type,
      column_size,
      decimal_digits,
      description: description ?? '',
      tags: tags ?? [],
      auto_increment: 'NO',
    }),
  );

const tableFields = (row: TableRow): DatamapField[] =>
  (row.columns ?? []).map(([name, type, description, tags]) => ({
    name,
    ...jdbcTypeOf(type),
    description: description ?? '',
    tags: tags ?? [],
    auto_increment: 'NO',
  }));

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
const commonOf = (row: FactRow, { accountId, score }: RecordContext): CommonRecord => ({
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
    created_timestamp: time(row.activity_created),
    last_updated_timestamp: time(row.activity_updated),
    last_viewed_timestamp: row.last_viewed?.getTime() ?? 0,
  },
});

/** Returns the `datamap` object of a table or view, which cannot be published and is visible to all users. */
const defaultDatamap = (row: FactRow): DatamapRecord['datamap'] => ({
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

export function datamapRecordOf(row: DatamapRow, context: RecordContext): DatamapRecord {
  const fields = datamapFields(row);
  const defaults = defaultDatamap(row);
  const sources = row.source_id === null ? [] : [row.source_id];
  return {
    id: row.fact_id,
    remarks: null,
    ...commonOf(row, context),
    database_name: row.source_name ?? '',
    schema: '',
    catalog: row.source_name ?? '',
    field_count: fields.length,
    fields: [],
    reads: row.sql === null ? [] : row.reads,
    datamap: {
      ...defaults,
      display_name: row.display_name,
      state: row.state,
      assigned: {
        to: row.owner_name,
        sme: row.steward_name,
        from: row.created_by,
        last_updated_timestamp: row.updated.getTime(),
      },
      priority: row.priority,
      config: {
        ...defaults.config,
        is_advanced_mode: row.sql !== null,
        limit: row.config.limit ?? LIMIT_DEFAULT,
      },
      advanced_mode: { sql: row.sql, source_ids: row.sql === null ? [] : sources, sources: null },
      parameters: [...row.parameters],
      created_by: row.created_by,
      last_published_by: row.last_published_by,
      last_published_timestamp: time(row.last_published),
      last_execution_timestamp: time(row.last_executed),
      datamap_fields: fields,
      explanation: row.explanation ?? '',
    },
  };
}

/** Returns a name in the form that an import accepts: a part that contains a dot or a quote is in double quotes. */
const nameOf = (...parts: readonly string[]): string =>
  parts.map((part) => (/[."]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');

export function tableRecordOf(row: TableRow, context: RecordContext): DatamapRecord {
  const fields = tableFields(row);
  return {
    id: nameOf(row.catalog_name, row.schema_name, row.name),
    remarks: row.remarks,
    ...commonOf(row, context),
    database_name: row.catalog_name,
    schema: row.schema_name,
    catalog: row.catalog_name,
    field_count: fields.length,
    fields,
    reads: [],
    datamap: defaultDatamap(row),
  };
}
