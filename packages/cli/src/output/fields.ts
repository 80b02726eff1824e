import { displayWidth } from '../terminal/display-width.ts';
import type { Output } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Breaks a text between words into lines of at most this width. A longer word gets a line of its own. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(`${last} ${word}`) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Writes labelled values, one below the other. On a terminal a long value goes on under itself. */
export async function writeFields(output: Output, fields: readonly (readonly [string, string])[]): Promise<void> {
  const labelWidth = Math.max(...fields.map(([label]) => label.length)) + 2;
  const width = output.isTerminal ? Math.max(output.columns - labelWidth, 20) : Number.POSITIVE_INFINITY;
  const lines = fields.flatMap(([label, value]) =>
    wrap(visibleLine(value), width).map((line, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${line}`),
  );
  await output.write(lines.map((line) => `${line}\n`).join(''));
}
