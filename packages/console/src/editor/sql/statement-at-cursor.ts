import { type SqlDialect, SqlScanner } from './sql-scanner.ts';

/** Part of the SQL: UTF-16 offsets, the end not included. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the statement to run for a cursor: the one around it, or the one before it if the cursor follows its semicolon on the same
 * line, or the next one, or the last one. Semicolons in quotes and comments do not end a statement. The range has neither the
 * semicolon nor comments around the statement.
 * @returns undefined if the text has no statement
 */
export function statementAt(text: string, cursor: number, dialect: SqlDialect): TextRange | undefined {
  let before: TextRange | undefined;
  for (const statement of statements(text, dialect)) {
    const { from, to, end } = statement;
    if (cursor < end) return isSameLine(text, before, cursor, from) ? before : { from, to };
    before = { from, to };
  }
  return before;
}

interface Statement extends TextRange {
  /** End of its semicolon, or of the text. */
  readonly end: number;
}

/** Yields the statements in order. Empty ones are skipped. */
export function* statements(text: string, dialect: SqlDialect): Generator<Statement, void, undefined> {
  const scanner = new SqlScanner(text, dialect);
  let from: number | undefined;
  let to = 0;
  while (scanner.next()) {
    if (scanner.isSemicolon) {
      if (from !== undefined) yield { from, to, end: scanner.end };
      from = undefined;
    } else if (scanner.kind !== 'comment') {
      from ??= scanner.start;
      to = scanner.end;
    }
  }
  if (from !== undefined) yield { from, to, end: text.length };
}

/** Returns whether the cursor is behind a statement, on its last line, and before the next statement. */
function isSameLine(text: string, before: TextRange | undefined, cursor: number, next: number): boolean {
  return before !== undefined && cursor < next && cursor >= before.to && !/[\r\n]/.test(text.slice(before.to, cursor));
}

/** Returns the text to run: the selection, or the statement at the cursor. Undefined: there is nothing to run. */
export function runnableRange(text: string, selection: TextRange, dialect: SqlDialect): TextRange | undefined {
  if (selection.from === selection.to) return statementAt(text, selection.from, dialect);
  const selected = text.slice(selection.from, selection.to);
  const from = selection.from + selected.length - selected.trimStart().length;
  return selected.trim() === '' ? undefined : { from, to: from + selected.trim().length };
}
