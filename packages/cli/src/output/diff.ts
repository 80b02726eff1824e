import { visibleText } from '@sluice/contract/visible-text';

/** Display of a comparison. The marks `+`, `-` and `~` are written with and without colours. */
export interface DiffStyle {
  readonly hasColor: boolean;
}

const RED = '\u001b[31m';
const GREEN = '\u001b[32m';
const YELLOW = '\u001b[33m';
const PLAIN = '\u001b[39m';
/** Unchanged lines shown around changed ones. */
const CONTEXT_LINES = 2;

const colored = (text: string, color: string, { hasColor }: DiffStyle): string =>
  hasColor ? `${color}${text}${PLAIN}` : text;

/** First line of a changed object: `+` new, `~` changed. */
export const objectLine = (mark: '+' | '~' | '-', text: string, style: DiffStyle): string =>
  `${colored(mark, { '+': GREEN, '~': YELLOW, '-': RED }[mark], style)} ${visibleText(text)}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const isAbsent = (value: unknown): boolean => value === null || value === undefined;

function sameLines(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { start, end };
}

function textLines(before: string, after: string, style: DiffStyle): string[] {
  const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
  const { start, end } = sameLines(oldLines, newLines);
  const shown = (lines: readonly string[], mark: string, color: string): string[] =>
    lines.map((line) => colored(`${mark} ${visibleText(line)}`, color, style));
  const around = (lines: readonly string[]): string[] => lines.map((line) => `  ${visibleText(line)}`);
  return [
    ...around(oldLines.slice(Math.max(0, start - CONTEXT_LINES), start)),
    ...shown(oldLines.slice(start, oldLines.length - end), '-', RED),
    ...shown(newLines.slice(start, newLines.length - end), '+', GREEN),
    ...around(oldLines.slice(oldLines.length - end, oldLines.length - end + CONTEXT_LINES)),
  ];
}

/** Lists are compared as sets: tags and roles have no order. */
function listLines(before: readonly unknown[], after: readonly unknown[], style: DiffStyle): string[] {
  const [oldItems, newItems] = [before.map(textOf), after.map(textOf)];
  const isIn = (list: readonly string[]) => {
    const items = new Set(list);
    return (item: string): boolean => items.has(item);
  };
  const [wasThere, isThere] = [isIn(oldItems), isIn(newItems)];
  const removed = oldItems
    .filter((item) => !isThere(item))
    .map((item) => colored(`- ${visibleText(item)}`, RED, style));
  const added = newItems
    .filter((item) => !wasThere(item))
    .map((item) => colored(`+ ${visibleText(item)}`, GREEN, style));
  if (removed.length + added.length > 0) return [...removed, ...added];
  return [
    colored(`- ${visibleText(JSON.stringify(before))}`, RED, style),
    colored(`+ ${visibleText(JSON.stringify(after))}`, GREEN, style),
  ];
}

/** Returns the lines of a change, without indentation: what goes, then what comes. An absent value has no line. */
export function changeLines(before: unknown, after: unknown, style: DiffStyle): string[] {
  const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
  if ((isList(before) || isAbsent(before)) && (isList(after) || isAbsent(after)))
    return listLines(isList(before) ? before : [], isList(after) ? after : [], style);
  const all = (value: unknown, mark: string, color: string): string[] =>
    textOf(value)
      .split('\n')
      .map((line) => colored(`${mark} ${visibleText(line)}`, color, style));
  if (isAbsent(before)) return all(after, '+', GREEN);
  if (isAbsent(after)) return all(before, '-', RED);
  return textLines(textOf(before), textOf(after), style);
}
