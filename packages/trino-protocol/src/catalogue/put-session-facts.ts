import type { ClientSession } from '../client-session.ts';
import { applyEdits, type Edit } from './rewritten-names.ts';
import { type DoorFacts, factSql, sessionFactAt } from './session-facts.ts';
import { isMark, isWord, sqlName, type Token, tokensOf } from './tokens.ts';

const MAY_HAVE_FACTS = /current_|user|version/i;
const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);
/** Words after which a SELECT at the same depth lists no more columns. */
const AFTER_COLUMNS = [
  ...['FROM', 'WHERE', 'GROUP', 'HAVING', 'WINDOW', 'QUALIFY', 'ORDER', 'LIMIT', 'OFFSET'],
  ...['UNION', 'EXCEPT', 'INTERSECT'],
];

/**
 * Puts the functions and values of the session into a statement for DuckDB, which has others of these names: its `current_user` is `duckdb`
 * for everyone. A column keeps the name that it would have. What follows AS is a name, and what is in double quotes is a column.
 */
export function putSessionFacts(
  sql: string,
  context: { readonly session: ClientSession; readonly facts: DoorFacts },
): string {
  const tokens = MAY_HAVE_FACTS.test(sql) ? (tokensOf(sql) ?? []) : [];
  const edits: Edit[] = [];
  /** Whether the columns of a SELECT are listed, in each open bracket. */
  const depths = [false];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    note(depths, token);
    const fact = isWord(tokens[index - 1], 'AS') ? undefined : sessionFactAt(tokens, index, context);
    if (fact === undefined) continue;
    const last = tokens[index + fact.length - 1] ?? token;
    const isColumn = depths.at(-1) === true && isAlone(tokens[index - 1], tokens[index + fact.length]);
    const name = isColumn ? ` AS ${sqlName(sql.slice(token.start, last.end))}` : '';
    edits.push({ start: token.start, end: last.end, text: `${castSql(fact)}${name}` });
    index += fact.length - 1;
  }
  return applyEdits(sql, edits);
}

function note(depths: boolean[], token: Token): void {
  if (token.kind === 'other' && OPEN.has(token.text)) depths.push(false);
  else if (token.kind === 'other' && CLOSE.has(token.text)) {
    if (depths.length > 1) depths.pop();
  } else if (isWord(token, 'SELECT')) depths[depths.length - 1] = true;
  else if (isWord(token, ...AFTER_COLUMNS)) depths[depths.length - 1] = false;
}

/** Whether a fact alone is between two tokens of a list of columns, without an alias. */
const isAlone = (before: Token | undefined, after: Token | undefined): boolean =>
  (isWord(before, 'SELECT', 'DISTINCT', 'ALL') || isMark(before, ',')) &&
  (after === undefined || isMark(after, ',') || isMark(after, ')') || isWord(after, ...AFTER_COLUMNS));

/** A literal alone is rejected in ORDER BY. */
const castSql = (fact: Parameters<typeof factSql>[0]): string =>
  fact.value === null ? factSql(fact) : `CAST(${factSql(fact)} AS VARCHAR)`;
