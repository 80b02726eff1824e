import { FILE_OBJECT_BYTES_MAX } from '@sluice/contract';
import { parseString } from 'fast-csv';
import { FileFault } from './file-fault.ts';

/** One row of a CSV file. */
export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface CsvRecord {
  readonly line: number;
  readonly text: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;

const tooLong = (line: number): FileFault =>
  new FileFault(
    `line ${line}`,
    `starts a row of more than ${FILE_OBJECT_BYTES_MAX} characters; is a quote not closed?`,
  );

/**
 * Finds the end of each record: a line break outside quotes (RFC 4180, also with LF or CR alone). The parser neither counts lines nor
 * limits a record whose quote is never closed, so it receives whole records.
 */
class RecordSplitter {
  #held = '';
  #line = 1;
  #startLine = 1;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #isAfterCr = false;

  *push(chunk: string): Generator<CsvRecord> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      const isLineEnd = code === LF || code === CR;
      if (code === LF && this.#isAfterCr) {
        // The second half of a line break that has ended its line already.
        this.#isAfterCr = false;
        if (this.#state === 'start' && this.#held === '' && start === at) start = at + 1;
        continue;
      }
      this.#isAfterCr = code === CR;
      if (isLineEnd) this.#line += 1;
      if (isLineEnd && this.#state !== 'quoted') {
        yield* this.#end(chunk.slice(start, at));
        start = at + 1;
      } else this.#advance(code);
    }
    this.#held += chunk.slice(start);
    if (this.#held.length > FILE_OBJECT_BYTES_MAX) throw tooLong(this.#startLine);
  }

  *finish(): Generator<CsvRecord> {
    if (this.#state === 'quoted')
      throw new FileFault(`line ${this.#startLine}`, 'starts a quoted cell that never ends');
    yield* this.#end('');
  }

  #advance(code: number): void {
    if (this.#state === 'quoted') {
      if (code === QUOTE) this.#state = 'closed';
    } else if (code === COMMA) this.#state = 'start';
    else if (code === QUOTE && this.#state !== 'plain') this.#state = 'quoted';
    else this.#state = 'plain';
  }

  /** Blank lines are skipped, as by the parser. */
  *#end(rest: string): Generator<CsvRecord> {
    const record = { line: this.#startLine, text: this.#held + rest };
    if (record.text.length > FILE_OBJECT_BYTES_MAX) throw tooLong(record.line);
    this.#held = '';
    this.#state = 'start';
    this.#startLine = this.#line;
    if (record.text.trim() !== '') yield record;
  }
}

const parse = (text: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(text, { headers: false })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });

const BROKEN = 'is not valid CSV: put a cell with a quote in quotes, and double each quote inside';

const parseOne = ({ line, text }: CsvRecord): Promise<CsvRow | FileFault> =>
  parse(text).then(
    ([cells = []]) => ({ line, cells }),
    () => new FileFault(`line ${line}`, BROKEN),
  );

async function parseAll(records: readonly CsvRecord[]): Promise<(CsvRow | FileFault)[]> {
  const rows = await parse(records.map(({ text }) => text).join('\n')).catch(() => undefined);
  if (rows?.length === records.length) {
    return records.map(({ line }, index) => ({ line, cells: rows[index] ?? [] }));
  }
  const single: (CsvRow | FileFault)[] = [];
  for (const record of records) single.push(await parseOne(record));
  return single;
}

/** Reads the rows of a CSV text, in groups, with a FileFault for each broken row. Throws a FileFault if the rest cannot be read. */
export async function* readCsvRows(chunks: AsyncIterable<string>): AsyncGenerator<readonly (CsvRow | FileFault)[]> {
  const splitter = new RecordSplitter();
  for await (const chunk of chunks) {
    const records = [...splitter.push(chunk)];
    if (records.length > 0) yield await parseAll(records);
  }
  yield await parseAll([...splitter.finish()]);
}
