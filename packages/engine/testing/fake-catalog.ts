import type { FakePage, FakeResult } from './fake-result.ts';
import { VARCHAR } from './fake-result.ts';

/** A row of the list of tables; column and type are null for a table without columns. */
export type FakeCatalogRow = readonly [
  schema: string,
  table: string,
  kind: 'TABLE' | 'VIEW',
  column: string | null,
  type: string | null,
];

export interface FakeCatalog {
  readonly schemas: readonly string[];
  readonly rows: readonly FakeCatalogRow[];
  /** Ends the list of a schema's tables after its first row. */
  readonly failure?: (schema: string) => object | undefined;
  /** Result of any other statement: types that their own text does not name. */
  readonly otherwise?: FakeResult;
}

const stringResult = (names: readonly string[], pages: readonly FakePage[]): FakeResult => ({
  columns: names.map((name) => ({ name, typeSignature: VARCHAR })),
  pages: [...pages, {}],
});

const pageOf = (...rows: readonly (readonly (string | null)[])[]): FakePage => ({ rows: JSON.stringify(rows) });

/** Answers the statements that read Trino's catalog, as a server with these tables would, one row per page. */
export function answerCatalog(sql: string, { schemas, rows, failure, otherwise }: FakeCatalog): FakeResult {
  if (sql.includes('.information_schema.schemata')) {
    return stringResult(['schema_name'], [pageOf(...schemas.map((name) => [name]))]);
  }
  if (!sql.includes('.information_schema.tables')) return otherwise ?? stringResult(['c'], []);
  const schema = /table_schema = '(\w+)'/.exec(sql)?.[1] ?? '';
  const after = /table_name > '((?:[^']|'')*)'/.exec(sql)?.[1]?.replaceAll("''", "'") ?? '';
  const pages = rows.filter((row) => row[0] === schema && row[1] > after).map((row) => pageOf(row));
  const error = failure?.(schema);
  return stringResult(
    ['table_schema', 'table_name', 'kind', 'column_name', 'data_type'],
    error === undefined ? pages : [...pages.slice(0, 1), { error }],
  );
}
