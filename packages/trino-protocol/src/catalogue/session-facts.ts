import type { ClientSession } from '../client-session.ts';
import { isMark, isWord, sqlText, type Token } from './tokens.ts';

/** Facts that a statement may ask for, besides those of the headers. */
export interface DoorFacts {
  readonly engine: 'duckdb' | 'trino';
  /** Name of the account. */
  readonly user: string;
}

/** Release of Trino whose protocol and catalogue tables the door has. Drivers read it as the version of the server. */
const TRINO_RELEASE = '476';

/** Returns the version that the door reports to clients: `476-sluice-duckdb`. */
const doorVersion = (engine: DoorFacts['engine']): string => `${TRINO_RELEASE}-sluice-${engine}`;

/** A function or value of the session in a statement: the number of its tokens, and its value. */
interface SessionFact {
  readonly length: number;
  readonly value: string | null;
}

/** Returns DuckDB's literal of a value of the session. */
export const factSql = ({ value }: Pick<SessionFact, 'value'>): string =>
  value === null ? 'CAST(NULL AS VARCHAR)' : sqlText(value);

/** Functions of DuckDB for the name of its user. Without their parentheses these words may be columns, as in Trino. */
const DUCKDB_USER = ['CURRENT_USER', 'SESSION_USER', 'USER'] as const;

/** Returns the function or value of the session that begins at a token; undefined if none does. */
export function sessionFactAt(
  tokens: readonly Token[],
  index: number,
  { session, facts }: { readonly session: ClientSession; readonly facts: DoorFacts },
): SessionFact | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word' || isMark(tokens[index - 1], '.')) return undefined;
  const isCall = isMark(tokens[index + 1], '(') && isMark(tokens[index + 2], ')');
  if (isCall && token.text === 'VERSION') return { length: 3, value: doorVersion(facts.engine) };
  if (isCall && token.text === 'CURRENT_TIMEZONE') return { length: 3, value: session.timeZone ?? 'UTC' };
  if (isCall && facts.engine === 'duckdb' && isWord(token, ...DUCKDB_USER)) return { length: 3, value: facts.user };
  if (isMark(tokens[index + 1], '.') || isMark(tokens[index + 1], '(')) return undefined;
  if (token.text === 'CURRENT_USER') return { length: 1, value: facts.user };
  if (token.text === 'CURRENT_CATALOG') return { length: 1, value: session.catalog ?? null };
  if (token.text === 'CURRENT_SCHEMA') return { length: 1, value: session.schema ?? null };
  return undefined;
}

/** An answer of one row, with Trino's types. */
export interface ConstantRow {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly row: readonly (string | number | boolean | null)[];
}

interface Constant {
  readonly length: number;
  readonly type: string;
  readonly value: string | number | boolean | null;
}

/**
 * Reads a SELECT of functions and values of the session and of literals, such as `SELECT version(), 1 AS one`. Returns its answer; undefined
 * for anything else, and for literals alone.
 */
export function readSessionFacts(
  sql: string,
  tokens: readonly Token[],
  context: { readonly session: ClientSession; readonly facts: DoorFacts },
): ConstantRow | undefined {
  if (!isWord(tokens[0], 'SELECT')) return undefined;
  const columns: { name: string; type: string }[] = [];
  const row: Constant['value'][] = [];
  let hasFact = false;
  let index = 1;
  while (index < tokens.length) {
    const fact = sessionFactAt(tokens, index, context);
    const constant = fact === undefined ? literalAt(tokens, index) : { ...fact, type: 'varchar' };
    if (constant === undefined) return undefined;
    hasFact ||= fact !== undefined;
    index += constant.length;
    const alias = aliasAt(sql, tokens, index);
    index += alias?.length ?? 0;
    columns.push({ name: alias?.name ?? `_col${columns.length}`, type: constant.type });
    row.push(constant.value);
    if (index === tokens.length) return hasFact ? { columns, row } : undefined;
    if (!isMark(tokens[index], ',')) return undefined;
    index += 1;
  }
  return undefined;
}

const KEYWORDS: Readonly<Record<string, Omit<Constant, 'length'>>> = {
  NULL: { type: 'unknown', value: null },
  TRUE: { type: 'boolean', value: true },
  FALSE: { type: 'boolean', value: false },
};

const INTEGER_MAX = 2 ** 31 - 1;

/** Returns the string, integer or keyword that is a literal. Integers of more digits than a double has are left to the engine. */
function literalAt(tokens: readonly Token[], index: number): Constant | undefined {
  const token = tokens[index];
  if (token?.kind === 'string') return { length: 1, type: `varchar(${[...token.text].length})`, value: token.text };
  const keyword = token?.kind === 'word' && Object.hasOwn(KEYWORDS, token.text) ? KEYWORDS[token.text] : undefined;
  if (keyword !== undefined) return { length: 1, ...keyword };
  const digits = digitsAt(tokens, index);
  const value = Number(digits);
  if (digits === '' || !Number.isSafeInteger(value)) return undefined;
  return { length: digits.length, type: value > INTEGER_MAX ? 'bigint' : 'integer', value };
}

/** Returns the digits without a gap that begin at a token. The lexer has a token for each. */
function digitsAt(tokens: readonly Token[], index: number): string {
  let digits = '';
  for (let end = index; ; end += 1) {
    const token = tokens[end];
    const isNext = end === index || tokens[end - 1]?.end === token?.start;
    if (token?.kind !== 'other' || !/^\d$/.test(token.text) || !isNext) return digits;
    digits += token.text;
  }
}

function aliasAt(
  sql: string,
  tokens: readonly Token[],
  index: number,
): { readonly length: number; readonly name: string } | undefined {
  const hasAs = isWord(tokens[index], 'AS');
  const token = tokens[hasAs ? index + 1 : index];
  if (token?.kind !== 'word' && token?.kind !== 'quoted name') return undefined;
  const name = token.kind === 'word' ? sql.slice(token.start, token.end) : token.text;
  return { length: hasAs ? 2 : 1, name };
}
