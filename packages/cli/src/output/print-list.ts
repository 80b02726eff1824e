import { visibleText } from '@sluice/contract/visible-text';
import type { CommandContext } from '../context.ts';
import type { TableCell } from './table.ts';

export interface ListColumn<Entry> {
  /** Title on a terminal. In CSV it is in lower case with underscores. */
  readonly title: string;
  readonly isRight?: boolean;
  /** Never cut on a terminal: an id. */
  readonly isWhole?: boolean;
  /** Left out of tables: an id that is of use to programs only. */
  readonly isOnlyInCsv?: boolean;
  /** Value for people; null is an empty cell. */
  readonly cell: (entry: Entry) => string | number | null;
  /** Name in CSV, if it differs from the title: with the unit of the value. */
  readonly csvName?: string;
  /** Value in CSV, if it differs: all digits of a duration, the time in ISO 8601. */
  readonly value?: (entry: Entry) => string | number | null;
}

export interface ListOptions<Entry> {
  readonly columns: readonly ListColumn<Entry>[];
  /** Plural noun for the entries in messages, such as `tables`. */
  readonly what: string;
  /** Largest number of entries that are shown. Undefined: all. */
  readonly limit?: number | undefined;
  /** Sentence for an empty list that says what to do next. Default: `No tables.` */
  readonly empty?: string;
  /** Document of an entry with `--json`. Default: the entry. */
  readonly toJson?: (entry: Entry) => unknown;
}

/** Rows from which the widths of a table are taken; later cells that are wider are cut. */
const SAMPLE_ROWS = 200;
/** Rows that are written at once. */
const CHUNK_ROWS = 50;

const csvCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) || (value !== null && text === '') ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A string with several lines, such as a description, in one line of a table. */
export const inOneLine = (text: string): string => text.replaceAll(/\s*[\r\n\t]\s*/g, ' ');

const nameOf = (title: string): string => title.toLowerCase().replaceAll(' ', '_');

/** Turns entries into text, in chunks. */
type Format<Entry> = (entries: AsyncIterable<Entry>) => AsyncIterable<string>;

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk: string[] = [];
  for await (const line of lines) {
    chunk.push(line);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk.join('');
    chunk = [];
  }
  if (chunk.length > 0) yield chunk.join('');
}

const toNdjson = <Entry>({ toJson = (entry) => entry }: ListOptions<Entry>): Format<Entry> =>
  async function* (entries) {
    for await (const entry of entries) yield `${JSON.stringify(toJson(entry))}\n`;
  };

const toCsv = <Entry>({ columns }: ListOptions<Entry>): Format<Entry> =>
  async function* (entries) {
    yield `${columns.map(({ title, csvName = nameOf(title) }) => csvCell(csvName)).join(',')}\n`;
    for await (const entry of entries)
      yield `${columns.map(({ cell, value = cell }) => csvCell(value(entry))).join(',')}\n`;
  };

const toTable = <Entry>(
  { columns: all }: ListOptions<Entry>,
  { stdout }: CommandContext['terminal'],
  hidden: string[],
): Format<Entry> =>
  async function* (entries) {
    // Widths of all scripts take time to load, and only a table needs them.
    const { createTable } = await import('./table.ts');
    const { createRecords, isTooNarrow } = await import('./list-records.ts');
    const columns = all.filter(({ isOnlyInCsv }) => isOnlyInCsv !== true);
    const rowOf = (entry: Entry): TableCell[] =>
      columns.map(({ cell }) => {
        const value = cell(entry);
        return value === null ? null : inOneLine(String(value));
      });
    const options = { width: stdout.columns, hasColor: stdout.hasColor, movesCursor: true };
    let sample: TableCell[][] = [];
    let table: ReturnType<typeof createTable> | undefined;
    const begin = function* () {
      table = createTable(columns, sample, options);
      if (isTooNarrow(columns, table)) table = createRecords(columns, options);
      yield table.header;
      for (const row of sample) yield table.row(row);
      sample = [];
    };
    for await (const entry of entries) {
      const row = rowOf(entry);
      if (table !== undefined) yield table.row(row);
      else if (sample.push(row) >= SAMPLE_ROWS) yield* begin();
    }
    if (table === undefined && sample.length > 0) yield* begin();
    hidden.push(...(table?.hidden ?? []));
  };

/**
 * Prints a list as it arrives: a table on a terminal, CSV in a pipe, NDJSON with `--json`. Says on stderr if the list is empty, or if
 * the limit cut it.
 */
export async function printList<Entry>(
  { terminal, globals }: Pick<CommandContext, 'terminal' | 'globals'>,
  entries: AsyncIterable<Entry>,
  options: ListOptions<Entry>,
): Promise<void> {
  const { limit, what } = options;
  const seen = { count: 0, hasMore: false };
  const limited = async function* () {
    for await (const entry of entries) {
      seen.hasMore = seen.count === limit;
      if (seen.hasMore) return;
      seen.count += 1;
      yield entry;
    }
  };
  const { stdout, stderr } = terminal;
  const hidden: string[] = [];
  const table = stdout.isTerminal ? toTable(options, terminal, hidden) : toCsv(options);
  const format = globals.isJson ? toNdjson(options) : table;
  // JSON is not escaped for a terminal yet, as a table is. In JSON the escapes mean the same characters.
  const shown = globals.isJson && stdout.isTerminal ? visibleText : (text: string): string => text;
  for await (const text of inChunks(format(limited()))) await stdout.write(shown(text));
  if (hidden.length > 0) await stderr.write(`Columns that did not fit: ${hidden.join(', ')}.\n`);
  if (seen.count === 0) await stderr.write(`${options.empty ?? `No ${what}.`}\n`);
  if (seen.hasMore) await stderr.write(`More ${what} exist than the ${seen.count} shown. Use --limit N to see more.\n`);
}
