import type { ClientSession } from '../client-session.ts';
import { TrinoError } from '../trino-error.ts';
import { isMark, isWord, type Location, locationOf, nameOf, sqlText, type Token } from './tokens.ts';

/** Name of a table with the catalog and schema of the session filled in, in lower case. */
export interface FullName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** Reads the tokens of a statement of fixed form from left to right. Each method leaves the position unchanged if it reads nothing. */
export class StatementParser {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  readonly #session: ClientSession;
  #index = 0;

  constructor(sql: string, tokens: readonly Token[], session: ClientSession) {
    this.#sql = sql;
    this.#tokens = tokens;
    this.#session = session;
  }

  get isAtEnd(): boolean {
    return this.#index === this.#tokens.length;
  }

  /** Reads one of these words, and returns whether it is there. */
  takeWord(...words: readonly string[]): boolean {
    const isThere = isWord(this.#tokens[this.#index], ...words);
    if (isThere) this.#index += 1;
    return isThere;
  }

  /** Reads a name of one or more parts, which are returned in lower case. */
  takeName(): readonly string[] | undefined {
    const parts: string[] = [];
    let index = this.#index;
    for (;;) {
      const token = this.#tokens[index];
      if (token?.kind !== 'word' && token?.kind !== 'quoted name') return undefined;
      parts.push(nameOf(token));
      index += 1;
      if (!isMark(this.#tokens[index], '.')) break;
      index += 1;
    }
    this.#index = index;
    return parts;
  }

  /** Reads the condition on a column that `LIKE 'pattern' ESCAPE 'character'` is. Returns an empty string if there is no LIKE. */
  takeLike(column: string): string {
    if (!this.takeWord('LIKE')) return '';
    const pattern = this.#takeString();
    const escaping = this.takeWord('ESCAPE') ? this.#takeString() : undefined;
    if (escaping !== undefined && [...escaping].length !== 1)
      throw this.error('INVALID_FUNCTION_ARGUMENT', 'Escape string must be a single character');
    return ` AND ${column} LIKE ${sqlText(pattern)}${escaping === undefined ? '' : ` ESCAPE ${sqlText(escaping)}`}`;
  }

  /** Throws MISSING_CATALOG_NAME if neither the statement nor the session has a catalog, and SYNTAX_ERROR for a name of several parts. */
  catalogOf([catalog = this.#session.catalog?.toLowerCase(), ...others]: readonly string[]): string {
    if (others.length > 0) throw this.error('SYNTAX_ERROR', 'The name of a catalog has one part.');
    if (catalog === undefined) throw this.#missingCatalog();
    return catalog;
  }

  /** Throws as `catalogOf`, and MISSING_SCHEMA_NAME. */
  schemaOf(parts: readonly string[]): Pick<FullName, 'catalog' | 'schema'> {
    if (parts.length > 2) throw this.error('SYNTAX_ERROR', `Too many parts in schema name: ${parts.join('.')}`);
    const [schema = this.#session.schema?.toLowerCase(), catalog] = parts.toReversed();
    const found = this.catalogOf(catalog === undefined ? [] : [catalog]);
    if (schema === undefined)
      throw this.error('MISSING_SCHEMA_NAME', 'Schema must be specified when session schema is not set');
    return { catalog: found, schema };
  }

  /** Throws as `schemaOf`. */
  tableOf(parts: readonly string[]): FullName {
    const table = parts.at(-1) ?? '';
    if (parts.length > 3) throw this.error('SYNTAX_ERROR', `Too many dots in table name: ${parts.join('.')}`);
    return { ...this.schemaOf(parts.slice(0, -1)), table };
  }

  /** Position of the statement, where Trino reports errors of SHOW. */
  get location(): Location {
    return locationOf(this.#sql, this.#tokens[0]?.start ?? 0);
  }

  /** Returns an error of the statement. */
  error(name: string, message: string): TrinoError {
    return new TrinoError(name, message, this.location);
  }

  #missingCatalog(): TrinoError {
    return this.error('MISSING_CATALOG_NAME', 'Catalog must be specified when session catalog is not set');
  }

  #takeString(): string {
    const token = this.#tokens[this.#index];
    if (token?.kind !== 'string') {
      const location = locationOf(this.#sql, token?.start ?? this.#sql.length);
      throw new TrinoError('SYNTAX_ERROR', 'LIKE and ESCAPE take a string in single quotes.', location);
    }
    this.#index += 1;
    return token.text;
  }
}
