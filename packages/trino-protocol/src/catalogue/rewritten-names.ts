import type { ClientSession } from '../client-session.ts';
import { TrinoError } from '../trino-error.ts';
import {
  INFORMATION_SCHEMA,
  INFORMATION_TABLES,
  informationSchemaOf,
  isSystemTable,
  SYSTEM_TABLES,
} from './catalogue-tables.ts';
import { type DottedName, isWord, locationOf, nameOf, sqlName, type Token } from './tokens.ts';

/** A part of a statement, and the text that replaces it. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A name of a table of the catalogue, as DuckDB finds it. */
interface CatalogueName {
  readonly edit: Edit | undefined;
  /** Catalog whose `information_schema` is read. */
  readonly catalog?: string;
}

/** Reads the names of a statement. Throws MISSING_CATALOG_NAME for an `information_schema` without a catalog. */
export class CatalogueNames {
  readonly #sql: string;
  readonly #catalog: string | undefined;
  readonly #schema: string | undefined;

  constructor(sql: string, { catalog, schema }: Pick<ClientSession, 'catalog' | 'schema'>) {
    this.#sql = sql;
    this.#catalog = catalog?.toLowerCase();
    this.#schema = schema?.toLowerCase();
  }

  /** Returns undefined for any other name. Columns may be named with their table: `information_schema.tables.table_name`. */
  read(name: DottedName): CatalogueName | undefined {
    const { parts } = name;
    const [first = '', second = '', third = ''] = parts.map(nameOf);
    const [begin, next] = parts;
    if (begin === undefined) return undefined;
    if (first === 'system' && isSystemTable(second, third)) return { edit: removed(begin, next) };
    if (second === INFORMATION_SCHEMA && INFORMATION_TABLES.has(third))
      return { edit: replaced(begin, next, informationSchemaOf(first)), catalog: first };
    if (this.#catalog === 'system' && isSystemTable(first, second)) return { edit: undefined };
    if (first === INFORMATION_SCHEMA && INFORMATION_TABLES.has(second)) return this.#information(begin, begin);
    return parts.length === 1 && startsTable(name.before) ? this.#unqualified(begin, first) : undefined;
  }

  /** Reads a table without its schema, which the session has. */
  #unqualified(token: Token, table: string): CatalogueName | undefined {
    if (this.#schema === INFORMATION_SCHEMA && INFORMATION_TABLES.has(table))
      return this.#information(token, undefined);
    if (this.#catalog !== 'system' || this.#schema === undefined || !isSystemTable(this.#schema, table))
      return undefined;
    return { edit: { start: token.start, end: token.start, text: `${this.#schema}.` } };
  }

  #information(token: Token, schema: Token | undefined): CatalogueName {
    const catalog = this.#catalog;
    if (catalog === undefined) {
      throw new TrinoError(
        'MISSING_CATALOG_NAME',
        'Catalog must be specified when session catalog is not set',
        locationOf(this.#sql, token.start),
      );
    }
    const found = informationSchemaOf(catalog);
    if (schema !== undefined) return { edit: replaced(schema, schema, found), catalog };
    return { edit: { start: token.start, end: token.start, text: `${found}.` }, catalog };
  }
}

const startsTable = (before: Token | undefined): boolean => isWord(before, 'FROM', 'JOIN', 'TABLE');

/** Removes the first part and the dot after it. */
const removed = (first: Token, second: Token | undefined): Edit => ({
  start: first.start,
  end: second?.start ?? first.end,
  text: '',
});

const replaced = (first: Token, last: Token | undefined, text: string): Edit => ({
  start: first.start,
  end: last?.end ?? first.end,
  text,
});

/** Returns the text with the edits, which are in order and do not overlap. */
export function applyEdits(sql: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, text } of edits) {
    result += sql.slice(position, start) + text;
    position = end;
  }
  return result + sql.slice(position);
}

const PARTITIONS = '$partitions';

/** Throws TABLE_NOT_FOUND for a table such as `"flights$partitions"`: the mirrored catalog has no partitions. */
export function refusePartitions(sql: string, { parts, before }: DottedName): void {
  const last = parts.at(-1);
  if (last?.kind !== 'quoted name' || !last.text.endsWith(PARTITIONS) || !startsTable(before)) return;
  const name = [...parts.slice(0, -1).map(nameOf), sqlName(nameOf(last))].join('.');
  const location = locationOf(sql, parts[0]?.start ?? 0);
  throw new TrinoError('TABLE_NOT_FOUND', `Table '${name}' does not exist`, location);
}

/** Returns whether a name is of a catalog's `information_schema` or of `system`, whatever its table. */
export const isOfCatalogue = ({ parts, before }: DottedName): boolean => {
  const [first = '', second = ''] = parts.map(nameOf);
  if (!startsTable(before) || parts.length < 2) return false;
  return (
    first === INFORMATION_SCHEMA ||
    second === INFORMATION_SCHEMA ||
    (first === 'system' && Object.hasOwn(SYSTEM_TABLES, second))
  );
};
