import type {
  DatamapField,
  DatamapPriority,
  DatamapRecord,
  DatamapState,
  ParameterDeclaration,
} from '@sluice/contract';
import { jdbcTypeOf } from '@sluice/contract';
import { commonOf, defaultDatamap, type FactRow, LIMIT_DEFAULT, type RecordContext, timeOf } from './fact-mapper.ts';

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
      last_published_timestamp: timeOf(row.last_published),
      last_execution_timestamp: timeOf(row.last_executed),
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
