import { type SqlDialect, statements, type TextRange } from '@sluice/contract/sql';

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

/** Returns whether the cursor is behind a statement, on its last line, and before the next statement. */
function isSameLine(text: string, before: TextRange | undefined, cursor: number, next: number): boolean {
  return before !== undefined && cursor < next && cursor >= before.to && !/[\r\n]/.test(text.slice(before.to, cursor));
}

/** Returns the text to run: the selection, or the statement at the cursor. Undefined: there is nothing to run, such as in a comment. */
export function runnableRange(text: string, selection: TextRange, dialect: SqlDialect): TextRange | undefined {
  if (selection.from === selection.to) return statementAt(text, selection.from, dialect);
  const selected = text.slice(selection.from, selection.to);
  const from = selection.from + selected.length - selected.trimStart().length;
  const isNothing = statements(selected, dialect).next().done === true;
  return isNothing ? undefined : { from, to: from + selected.trim().length };
}
