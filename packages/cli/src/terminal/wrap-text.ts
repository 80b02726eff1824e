import { displayWidth } from './display-width.ts';

/** Narrower lines would have about one word each. */
const COLUMNS_MIN = 20;

/**
 * Breaks lines between words, so that a terminal does not break them within. A word that is longer than a line, such as an
 * address, is left whole.
 * @param columns - width of a line
 * @param indent - spaces before every line but the first
 */
export function wrapText(text: string, columns: number, indent = 0): string {
  const room = Math.max(columns - indent, COLUMNS_MIN);
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let [current, width] = ['', 0];
    for (const [part] of line.matchAll(/\s*\S+/g)) {
      const added = displayWidth(part);
      if (width > 0 && width + added > room) {
        lines.push(current);
        current = part.trimStart();
        width = displayWidth(current);
      } else {
        current += part;
        width += added;
      }
    }
    lines.push(current);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
