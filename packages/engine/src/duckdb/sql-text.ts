export { lowerAscii } from '../lower-ascii.ts';

/**
 * Returns a string literal. DuckDB has no backslash escapes in plain literals. SQL text cannot contain NUL, so it is
 * concatenated.
 */
export function sqlString(text: string): string {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(' || chr(0) || ')})`;
}

export const sqlIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns an expression in which `name` is a value that is computed once. DuckDB finds no common subexpressions within CASE,
 * because it must not compute what a branch may skip (measured: a repeated strftime costs twice).
 */
export const sqlLet = (name: string, value: string, body: string): string =>
  `list_transform([${value}], lambda ${name}: ${body})[1]`;
