import type { ClientSession } from '../client-session.ts';
import { TrinoError } from '../trino-error.ts';
import { columnSpellings } from './column-spellings.ts';
import { isListOfNulls } from './list-of-nulls.ts';
import type { RequiredObject } from './required-objects.ts';
import { applyEdits, CatalogueNames, type Edit, isOfCatalogue, refusePartitions } from './rewritten-names.ts';
import { type ConstantRow, type DoorFacts, factSql, readSessionFacts, sessionFactAt } from './session-facts.ts';
import { readDescribe, readShow } from './show-statements.ts';
import { StatementParser } from './statement-parser.ts';
import { dottedNames, isMark, isWord, locationOf, nameOf, type Token, tokensOf } from './tokens.ts';
import { refuseUnserved } from './unserved-tables.ts';

/** A statement that DuckDB answers from the mirrored catalog. */
export interface CatalogueStatement {
  readonly kind: 'catalogue';
  /** DuckDB's SQL. Not used if there is a `constant`. */
  readonly sql: string;
  /** Answer that needs no DuckDB. */
  readonly constant?: ConstantRow;
  /** Objects that it names. They are looked up if it has no rows or fails. */
  readonly requires: readonly RequiredObject[];
  /** Thrown for an answer without rows, if all required objects exist. */
  readonly otherwise?: TrinoError;
  /** Names of its columns in the spelling of the statement (`spelledColumns`). */
  readonly spellings: readonly (string | undefined)[];
}

interface StatementText {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly session: ClientSession;
  readonly facts: DoorFacts;
}

/**
 * Reads a statement about catalogs, schemas, tables, columns or the session: SHOW, DESCRIBE, SELECT from tables of `system` and
 * `information_schema`, and a list of NULLs without rows. Returns undefined for any other statement, which the engine runs. Throws TrinoError:
 * NOT_SUPPORTED for tables that the mirrored catalog does not have beside those that it has, and for facts that it does not know,
 * TABLE_NOT_FOUND for `"table$partitions"` and for tables that `system` does not have, MISSING_CATALOG_NAME and MISSING_SCHEMA_NAME.
 *
 * Only the names are read here. DuckDB, which has only the tables of the catalogue, rejects what else a statement may read.
 */
export function readCatalogueStatement(
  sql: string,
  session: ClientSession,
  facts: DoorFacts,
): CatalogueStatement | undefined {
  const tokens = tokensOf(sql);
  const [first] = tokens ?? [];
  if (tokens === undefined || first === undefined) return undefined;
  const text = { sql: sql.slice(0, tokens.at(-1)?.end), tokens, session, facts };
  if (isWord(first, 'SHOW', 'DESCRIBE', 'DESC')) return readFixedForm(text, first);
  if (!isWord(first, 'SELECT', 'WITH', 'VALUES', 'TABLE') && !isMark(first, '(')) return undefined;
  const constant = readSessionFacts(text.sql, tokens, text);
  if (constant !== undefined) return { kind: 'catalogue', sql: text.sql, constant, requires: [], spellings: [] };
  if (isListOfNulls(tokens)) return { kind: 'catalogue', sql: text.sql, requires: [], spellings: [] };
  return readSelect(text);
}

function readFixedForm({ sql, tokens, session, facts }: StatementText, first: Token): CatalogueStatement | undefined {
  const parser = new StatementParser(sql, tokens, session);
  parser.takeWord(first.text);
  const shown = first.text === 'SHOW' ? readShow(parser, facts) : readDescribe(parser);
  return shown === undefined ? undefined : { kind: 'catalogue', spellings: [], ...shown };
}

function readSelect(text: StatementText): CatalogueStatement | undefined {
  const { sql, tokens, session } = text;
  const names = dottedNames(tokens);
  for (const name of names) {
    refusePartitions(sql, name);
    refuseUnserved(sql, name, session);
  }
  const reader = new CatalogueNames(sql, session);
  const edits: Edit[] = [];
  const catalogs = new Map<string, RequiredObject>();
  let isCatalogue = false;
  let other: Token | undefined;
  for (const name of names) {
    const found = reader.read(name);
    if (found === undefined) {
      if (isOfCatalogue(name)) other ??= name.parts[0];
      continue;
    }
    isCatalogue = true;
    if (found.edit !== undefined) edits.push(found.edit);
    const { catalog } = found;
    if (catalog === undefined || catalogs.has(catalog)) continue;
    catalogs.set(catalog, { catalog, location: locationOf(sql, name.parts[0]?.start ?? 0) });
  }
  if (!isCatalogue) return undefined;
  if (other !== undefined) throw notMirrored(sql, tokens, other);
  const all = [...edits, ...factEdits(text)].sort((a, b) => a.start - b.start);
  return {
    kind: 'catalogue',
    sql: applyEdits(sql, all),
    requires: [...catalogs.values()],
    spellings: columnSpellings(sql, tokens),
  };
}

/** Returns the functions and values of the session in a statement, as literals: DuckDB has others of these names. */
function factEdits({ tokens, ...context }: StatementText): readonly Edit[] {
  return tokens.flatMap((token, index) => {
    const fact = sessionFactAt(tokens, index, context);
    const last = tokens[index + (fact?.length ?? 1) - 1];
    return fact === undefined || last === undefined ? [] : [{ start: token.start, end: last.end, text: factSql(fact) }];
  });
}

function notMirrored(sql: string, tokens: readonly Token[], first: Token): TrinoError {
  const name = dottedNames(tokens).find(({ parts }) => parts[0] === first);
  const text = name?.parts.map(nameOf).join('.') ?? '';
  return new TrinoError(
    'NOT_SUPPORTED',
    `The table ${text} is not in the mirrored catalog. Read it in a statement of its own, without tables of system.jdbc, system.metadata or information_schema.`,
    locationOf(sql, first.start),
  );
}
