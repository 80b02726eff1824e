import { type SqlDialect, SqlScanner, type TokenKind } from '@sluice/contract/sql';

/** Use of a parameter that says its type: a cast, or a column that it is compared with. */
export type ParameterUse =
  | { readonly kind: 'cast'; readonly type: string }
  /** `end`: position behind the name of the column, before a closing quote. */
  | { readonly kind: 'column'; readonly name: string; readonly end: number };

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly end: number;
}

const COMPARISONS: ReadonlySet<string> = new Set([
  '=',
  '<>',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'LIKE',
  'ILIKE',
  'BETWEEN',
  'AND',
]);
/** Tokens of one type of SQL, such as `timestamp with time zone` and `decimal(5, 2)`. */
const TYPE_TOKENS_MAX = 8;

/** Finds what a statement says about the types of its parameters, by name without `$`. The first use that says something counts. */
export function findParameterUses(text: string, dialect: SqlDialect): ReadonlyMap<string, ParameterUse> {
  const tokens: Token[] = [];
  const scanner = new SqlScanner(text, dialect);
  while (scanner.next()) {
    const { kind, end } = scanner;
    if (kind !== 'comment') tokens.push({ kind, text: scanner.text, end });
  }
  const uses = new Map<string, ParameterUse>();
  for (const [index, { kind, text: mark }] of tokens.entries()) {
    if (kind !== 'parameter' || uses.has(mark.slice(1))) continue;
    const use = castAfter(tokens, index) ?? comparedColumn(tokens, index);
    if (use !== undefined) uses.set(mark.slice(1), use);
  }
  return uses;
}

/** Reads `$x::type`, and `CAST($x AS type)`. */
function castAfter(tokens: readonly Token[], index: number): ParameterUse | undefined {
  const next = tokens[index + 1];
  const isCast = next?.text === '::' || (next?.text.toUpperCase() === 'AS' && tokens[index - 1]?.text === '(');
  if (!isCast) return undefined;
  const type: string[] = [];
  for (const token of tokens.slice(index + 2, index + 2 + TYPE_TOKENS_MAX)) {
    if (token.kind !== 'word') break;
    type.push(token.text.toLowerCase());
  }
  return type.length === 0 ? undefined : { kind: 'cast', type: type.join(' ') };
}

/** Reads `column = $x`, `$x < column`, and `column BETWEEN $x AND $y`. */
function comparedColumn(tokens: readonly Token[], index: number): ParameterUse | undefined {
  const before = tokens[index - 1];
  if (before !== undefined && COMPARISONS.has(before.text.toUpperCase())) {
    const column = before.text.toUpperCase() === 'AND' ? tokens[index - 4] : tokens[index - 2];
    const isRange = before.text.toUpperCase() !== 'AND' || tokens[index - 3]?.text.toUpperCase() === 'BETWEEN';
    if (isRange && isColumn(column)) return columnUse(column);
  }
  const after = tokens[index + 1];
  if (after === undefined || !COMPARISONS.has(after.text.toUpperCase()) || after.kind === 'word') return undefined;
  let at = index + 2;
  while (tokens[at + 1]?.text === '.' && isColumn(tokens[at + 2])) at += 2;
  const column = tokens[at];
  return isColumn(column) && tokens[at + 1]?.text !== '(' ? columnUse(column) : undefined;
}

const isColumn = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'name';

const columnUse = ({ kind, text, end }: Token): ParameterUse => ({
  kind: 'column',
  name: kind === 'name' ? text.slice(1, -1).replaceAll('""', '"') : text,
  end: kind === 'name' ? end - 1 : end,
});
