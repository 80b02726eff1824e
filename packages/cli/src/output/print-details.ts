import { visibleText } from '@sluice/contract/visible-text';
import type { CommandContext } from '../context.ts';
import type { Output } from '../terminal/terminal.ts';
import { inOneLine } from './print-list.ts';
import type { TableCell, TableColumn } from './table.ts';

/** A table below the fields, such as the columns of a table. */
interface DetailTable {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface Details {
  readonly title: string;
  /**
   * Name and value; null and the empty string are left out. A value with several lines begins on a line of its own. On a terminal, lines are
   * broken between words, unless the value is `whole`: a command or statement that people copy.
   */
  readonly fields: readonly (readonly [name: string, value: string | number | null, form?: 'whole' | undefined])[];
  readonly tables?: readonly DetailTable[];
}

/** Breaks a string into lines, all but the first of which are indented. */
type Wrap = (text: string, indent: number) => string;

function fieldLines(fields: Details['fields'], wrap: Wrap): string {
  const shown = fields.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  return shown
    .map(([name, value, form]) => {
      const text = String(value).trimEnd();
      const broken = (indent: number): string =>
        form === 'whole' ? text.replaceAll('\n', `\n${' '.repeat(indent)}`) : wrap(text, indent);
      return text.includes('\n') ? `${name}:\n  ${broken(2)}\n` : `${`${name}:`.padEnd(width)}${broken(width)}\n`;
    })
    .join('');
}

/** Returns how lines are broken: between words on a terminal, else not at all. */
async function wrapperFor({ isTerminal, columns }: Output): Promise<Wrap> {
  if (!isTerminal) return (text, indent) => text.replaceAll('\n', `\n${' '.repeat(indent)}`);
  const { wrapText } = await import('../terminal/wrap-text.ts');
  return (text, indent) => wrapText(text, columns, indent);
}

const isEmpty = (cell: TableCell | undefined): boolean => cell === undefined || cell === null || cell === '';

/** Leaves out columns without any value, and puts each value in one line. */
function usedColumns({ columns, rows }: DetailTable): Pick<DetailTable, 'columns' | 'rows'> {
  const isUsed = columns.map((_, index) => rows.some((row) => !isEmpty(row[index])));
  const used = <Each>(list: readonly Each[]): Each[] => list.filter((_, index) => isUsed[index]);
  return {
    columns: used(columns),
    rows: rows.map((row) => used(row).map((cell) => (cell === null ? null : inOneLine(cell)))),
  };
}

/** Prints one object with its fields; as one JSON document with `--json`. */
export async function printDetails(
  { terminal: { stdout }, globals }: Pick<CommandContext, 'terminal' | 'globals'>,
  document: unknown,
  { title, fields, tables = [] }: Details,
): Promise<void> {
  if (globals.isJson) return await stdout.write(`${JSON.stringify(document)}\n`);
  const safe = (text: string): string => (stdout.isTerminal ? visibleText(text) : text);
  const shown = fields.map(([name, value, form]) => [name, value === null ? null : safe(String(value)), form] as const);
  const heading = stdout.hasColor ? `\u001b[1m${safe(title)}\u001b[22m` : safe(title);
  const width = stdout.isTerminal ? stdout.columns : undefined;
  const drawn: string[] = [];
  for (const each of tables.filter(({ rows }) => rows.length > 0)) {
    // Widths of all scripts take time to load, and only a table needs them.
    const { renderTable } = await import('./table.ts');
    const { hasColor, isTerminal: movesCursor } = stdout;
    const { columns, rows } = usedColumns(each);
    drawn.push(`\n${safe(each.title)}\n${renderTable(columns, rows, { width, hasColor, movesCursor })}`);
  }
  await stdout.write(`${heading}\n${fieldLines(shown, await wrapperFor(stdout))}${drawn.join('')}`);
}
