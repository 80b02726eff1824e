import type { ClientSession } from '../client-session.ts';
import { isMark, isWord, sqlName, sqlText, type Token } from './tokens.ts';

/** What a statement may ask about its session, besides its headers. */
export interface DoorFacts {
  readonly engine: 'duckdb' | 'trino';
  /** Name of the account. */
  readonly user: string;
}

/** Release of Trino whose protocol and catalogue tables the door has. Drivers read it as the version of the server. */
const TRINO_RELEASE = '476';

/** Returns the version that the door reports to clients: `476-sluice-duckdb`. */
export const doorVersion = (engine: DoorFacts['engine']): string => `${TRINO_RELEASE}-sluice-${engine}`;

/** A function or value of the session in a statement: the tokens from `index`, `length` of them, and DuckDB's SQL for it. */
interface SessionFact {
  readonly length: number;
  readonly sql: string;
}

const textOrNull = (value: string | undefined): string =>
  value === undefined ? 'CAST(NULL AS VARCHAR)' : sqlText(value);

/** Returns the function or value of the session that begins at a token; undefined if none does. */
export function sessionFactAt(
  tokens: readonly Token[],
  index: number,
  { session, facts }: { readonly session: ClientSession; readonly facts: DoorFacts },
): SessionFact | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word' || isMark(tokens[index - 1], '.')) return undefined;
  const isCall = isMark(tokens[index + 1], '(') && isMark(tokens[index + 2], ')');
  if (isCall && token.text === 'VERSION') return { length: 3, sql: sqlText(doorVersion(facts.engine)) };
  if (isCall && token.text === 'CURRENT_TIMEZONE') return { length: 3, sql: sqlText(session.timeZone ?? 'UTC') };
  if (isMark(tokens[index + 1], '.') || isMark(tokens[index + 1], '(')) return undefined;
  if (token.text === 'CURRENT_USER') return { length: 1, sql: sqlText(facts.user) };
  if (token.text === 'CURRENT_CATALOG') return { length: 1, sql: textOrNull(session.catalog) };
  if (token.text === 'CURRENT_SCHEMA') return { length: 1, sql: textOrNull(session.schema) };
  return undefined;
}

/**
 * Reads a SELECT of functions and values of the session and of literals, such as `SELECT version(), 1 AS one`. Returns DuckDB's SQL;
 * undefined for anything else, and for literals alone.
 */
export function readSessionFacts(
  sql: string,
  tokens: readonly Token[],
  context: { readonly session: ClientSession; readonly facts: DoorFacts },
): string | undefined {
  if (!isWord(tokens[0], 'SELECT')) return undefined;
  const selected: string[] = [];
  let hasFact = false;
  let index = 1;
  while (index < tokens.length) {
    const fact = sessionFactAt(tokens, index, context);
    const length = fact?.length ?? literalLength(tokens, index);
    if (length === 0) return undefined;
    hasFact ||= fact !== undefined;
    const value = fact?.sql ?? sql.slice(tokens[index]?.start, tokens[index + length - 1]?.end);
    index += length;
    const alias = aliasAt(sql, tokens, index);
    index += alias?.length ?? 0;
    selected.push(`${value} AS ${alias?.sql ?? `"_col${selected.length}"`}`);
    if (index === tokens.length) return hasFact ? `SELECT ${selected.join(', ')}` : undefined;
    if (!isMark(tokens[index], ',')) return undefined;
    index += 1;
  }
  return undefined;
}

/** Returns the number of tokens of a string, an integer or a keyword that is a literal. */
function literalLength(tokens: readonly Token[], index: number): number {
  const token = tokens[index];
  if (token?.kind === 'string' || isWord(token, 'NULL', 'TRUE', 'FALSE')) return 1;
  let end = index;
  for (;;) {
    const digit = tokens[end];
    if (digit?.kind !== 'other' || !/^\d$/.test(digit.text) || (end > index && tokens[end - 1]?.end !== digit.start)) break;
    end += 1;
  }
  return end - index;
}

function aliasAt(
  sql: string,
  tokens: readonly Token[],
  index: number,
): { readonly length: number; readonly sql: string } | undefined {
  const hasAs = isWord(tokens[index], 'AS');
  const token = tokens[hasAs ? index + 1 : index];
  if (token?.kind !== 'word' && token?.kind !== 'quoted name') return undefined;
  const name = token.kind === 'word' ? sql.slice(token.start, token.end) : token.text;
  return { length: hasAs ? 2 : 1, sql: sqlName(name) };
}

