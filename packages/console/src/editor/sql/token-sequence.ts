import { type SqlDialect, SqlScanner } from '@sluice/contract/sql';

/**
 * Returns whether two statements are the same tokens in the same order, comments included, so that they mean the same to the engine. White
 * space counts only between two strings, which PostgreSQL and DuckDB join across the end of a line.
 */
export function haveSameTokens(before: string, after: string, dialect: SqlDialect): boolean {
  const [first, second] = [tokens(before, dialect), tokens(after, dialect)];
  for (;;) {
    const [one, other] = [first.next(), second.next()];
    if (one.done === true || other.done === true) return one.done === other.done;
    if (one.value !== other.value) return false;
  }
}

function* tokens(text: string, dialect: SqlDialect): Generator<string, void, undefined> {
  const scanner = new SqlScanner(text, dialect);
  let last: { readonly kind: string; readonly end: number } | undefined;
  while (scanner.next()) {
    const joins = scanner.kind === 'string' && last?.kind === 'string';
    const gap = joins ? text.slice(last?.end, scanner.start) : '';
    yield `${scanner.kind} ${joins ? gapKind(gap) : ''} ${comparable(scanner)}`;
    last = { kind: scanner.kind, end: scanner.end };
  }
}

const gapKind = (gap: string): string => (gap === '' ? 'none' : /[\r\n]/.test(gap) ? 'line' : 'blank');

/** A formatter may indent the lines of a comment. */
const comparable = ({ kind, text }: SqlScanner): string =>
  kind === 'comment' ? text.replace(/\s+/g, ' ').trim() : text;
