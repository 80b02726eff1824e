import type { SqlLocation } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { displayWidth } from '../terminal/display-width.ts';

const TAB = '    ';
/** Columns of a long line that are shown before and behind the position. */
const CONTEXT = 50;

const draw = (text: string): string => visibleLine(text.replaceAll('\t', TAB));

/** Returns a line of SQL with a caret below the column, or nothing if the text has no such position. Columns count characters from 1. */
export function excerptOf(sql: string, { line, column }: SqlLocation): readonly string[] {
  const text = sql.split(/\r\n|\n|\r/)[line - 1];
  if (text === undefined) return [];
  const characters = Array.from(text);
  if (column < 1 || column > characters.length + 1) return [];
  const start = Math.max(0, column - 1 - CONTEXT);
  const before = draw(characters.slice(start, column - 1).join(''));
  const behind = draw(characters.slice(column - 1, column - 1 + CONTEXT).join(''));
  const label = `LINE ${line}: ${start > 0 ? '…' : ''}`;
  const rest = column - 1 + CONTEXT < characters.length ? '…' : '';
  return [`${label}${before}${behind}${rest}`, `${' '.repeat(displayWidth(label) + displayWidth(before))}^`];
}

const statements = new WeakMap<object, string>();

/** Remembers the statement that an error is about, so that its report can show the position. */
export function noteStatement(error: unknown, sql: string): void {
  if (typeof error === 'object' && error !== null) statements.set(error, sql);
}

/** Returns the statement that an error is about. */
export const statementOf = (error: object): string | undefined => statements.get(error);
