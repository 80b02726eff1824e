import { TrinoError } from '../trino-error.ts';
import { type Location, sqlText } from './tokens.ts';

/** An object that a statement names and that must exist. */
export interface RequiredObject {
  readonly catalog: string;
  readonly schema?: string;
  readonly table?: string;
  /** Required kind of the object. Default: a table or a view. */
  readonly kind?: 'TABLE' | 'VIEW';
  /** Position of its name. */
  readonly location?: Location;
}

const isNamed = (column: string, name: string): string => `lower(${column}) = lower(${sqlText(name)})`;

/** Returns SQL with a row for each object: its number, how many catalogs and schemas have its name, and `TABLE`, `VIEW` or null. */
export const foundObjectsSql = (required: readonly RequiredObject[]): string =>
  `${required.map(foundObjectSql).join(' UNION ALL ')} ORDER BY 1`;

function foundObjectSql({ catalog, schema = '', table = '' }: RequiredObject, index: number): string {
  const catalogs = `SELECT count(*) FROM jdbc.catalogs WHERE ${isNamed('table_cat', catalog)}`;
  const schemas = `SELECT count(*) FROM jdbc.schemas WHERE ${isNamed('table_catalog', catalog)} AND ${isNamed('table_schem', schema)}`;
  const inSchema = `${isNamed('table_cat', catalog)} AND ${isNamed('table_schem', schema)}`;
  const type = `SELECT max(table_type) FROM jdbc.tables WHERE ${inSchema} AND ${isNamed('table_name', table)}`;
  return `SELECT ${index} AS n, (${catalogs}) AS catalogs, (${schemas}) AS schemas, (${type}) AS type`;
}

/** A row of `foundObjectsSql`. */
export type FoundObject = readonly [number: number, catalogs: number, schemas: number, type: string | null];

/** Returns the error of the first object that does not exist, or is not of its kind; undefined if there is none. */
export function missingObject(
  required: readonly RequiredObject[],
  found: readonly FoundObject[],
): TrinoError | undefined {
  return required.map((object, index) => errorOf(object, found[index])).find((error) => error !== undefined);
}

/** SHOW CREATE reports whatever is missing as a missing table. */
function errorOf(required: RequiredObject, found: FoundObject | undefined): TrinoError | undefined {
  const { catalog, schema, table, kind, location } = required;
  const [, catalogs = 0, schemas = 0, type = null] = found ?? [];
  const error = (name: string, message: string): TrinoError => new TrinoError(name, message, location);
  if (kind === undefined && catalogs === 0) return error('CATALOG_NOT_FOUND', `Catalog '${catalog}' not found`);
  if (schema === undefined) return undefined;
  if (kind === undefined && schemas === 0) return error('SCHEMA_NOT_FOUND', `Schema '${schema}' does not exist`);
  if (table === undefined) return undefined;
  const name = `${catalog}.${schema}.${table}`;
  const noun = kind === 'VIEW' ? 'View' : 'Table';
  if (type === null) return error('TABLE_NOT_FOUND', `${noun} '${name}' does not exist`);
  if (kind === undefined || kind === type) return undefined;
  return error('NOT_SUPPORTED', `Relation '${name}' is a ${type.toLowerCase()}, not a ${kind.toLowerCase()}`);
}
