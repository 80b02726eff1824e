import type { Column } from '@sluice/contract';
import { temporaryFileProblem } from '@sluice/contract/problems';
import { textSource, ZipWriter } from '../zip/zip-writer.ts';
import { dateTimeCell, markedRow, numberCell, TEXT_CELL, textCell } from './cell-xml.ts';
import { numberRows } from './number-rows.ts';
import type { RowsChunk } from './rows-chunk.ts';
import { createSheetFormat, SHEET_END } from './sheet-format.ts';
import { CELL_CHARACTERS_MAX, SHEET_ROWS_MAX } from './sheet-limits.ts';
import { SheetNames } from './sheet-names.ts';
import { SheetRows } from './sheet-rows.ts';
import { type OverflowPart, shortenCells } from './shorten-cells.ts';
import { Spool } from './spool.ts';
import { FIRST_PARTS, lastParts, sheetPart } from './workbook-parts.ts';

/** One result of a workbook. Its rows are written by the row template of `createSheetFormat`. */
export interface WorkbookResult {
  /** The sheet gets this name as far as sheet names allow it. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<RowsChunk>;
  /** Description on the sheet About. */
  readonly about: string;
  /** Values of the parameters, on the sheet About. Default: none. */
  readonly parameters?: string;
}

interface WorkbookOptions {
  /** Id of the download, which finds its receipt. */
  readonly queryId: string;
  readonly started: Date;
  /** Limit of the disk space for strings that are longer than a cell. They can only be written after all rows. */
  readonly overflowBytesMax: number;
  /** Opens the place for these strings; another one only in tests. */
  readonly openSpool?: (bytesMax: number) => Spool;
  /** Rows of one sheet including its header; smaller only in tests. */
  readonly sheetRowsMax?: number;
}

/**
 * Streams an XLSX file (ECMA-376, transitional) of results that arrive one after the other; each is read to its end before the
 * next is requested. Memory does not grow with the number of rows. `end` returns the last bytes after everything else was read;
 * every reader rejects a file without them.
 */
export class WorkbookWriter {
  readonly #options: WorkbookOptions;
  readonly #zip: ZipWriter;
  readonly #names = new SheetNames();
  readonly #sheets: string[] = [];
  readonly #written: WrittenResult[] = [];
  readonly #format = createSheetFormat();

  constructor(options: WorkbookOptions) {
    this.#options = options;
    this.#zip = new ZipWriter(options.started);
  }

  /** Throws `storage_unavailable` if the disk cannot take the strings that are longer than a cell. */
  async *write(results: AsyncIterable<WorkbookResult>): AsyncGenerator<Uint8Array> {
    const { overflowBytesMax, openSpool = (bytesMax) => new Spool(bytesMax) } = this.#options;
    await using spool = openSpool(overflowBytesMax);
    try {
      yield* this.#write(results, spool);
    } catch (thrown) {
      throw temporaryFileProblem(thrown); // results fail with problems, so an error of the file system is one of the spool
    }
  }

  async *#write(results: AsyncIterable<WorkbookResult>, spool: Spool): AsyncGenerator<Uint8Array> {
    yield* this.#parts(FIRST_PARTS);
    for await (const result of results) yield* this.#result(result, spool);
    if (!spool.isEmpty) yield* this.#sheet('Overflow', this.#framed(OVERFLOW_COLUMNS, numbered(spool.read())));
    yield* this.#sheet('About', this.#framed(ABOUT_COLUMNS, numbered(textSource(this.#about()))));
    yield* this.#parts(lastParts(this.#sheets));
  }

  end(): Uint8Array {
    return this.#zip.end();
  }

  async *#result(result: WorkbookResult, spool: Spool): AsyncGenerator<Uint8Array> {
    const perSheet = (this.#options.sheetRowsMax ?? SHEET_ROWS_MAX) - 1;
    const sheets: string[] = [];
    // A row that was looked at may be the first of a sheet that has not started.
    const sheetName = (index: number): string => {
      while (sheets.length <= index) sheets.push(this.#names.take(result.name));
      return sheets[index] ?? '';
    };
    const chunks = shortenCells(result.rows, (part) =>
      spool.write(overflowRow(part, sheetName(Math.floor(part.row / perSheet)), (part.row % perSheet) + 2)),
    );
    const rows = new SheetRows(chunks[Symbol.asyncIterator]());
    const counted = { rows: 0 };
    for (let index = 0; index === 0 || (await rows.hasMore()); index += 1) {
      yield* this.#sheet(sheetName(index), this.#framed(result.columns, taken(rows, perSheet, counted)));
    }
    const { name, about, parameters = '' } = result;
    this.#written.push({ name, about, parameters, sheets, rows: counted.rows });
  }

  async *#framed(columns: readonly Column[], rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield Buffer.from(this.#format.head(columns));
    yield* rows;
    yield Buffer.from(SHEET_END);
  }

  async *#sheet(name: string, xml: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#sheets.push(name);
    yield* this.#zip.entry(sheetPart(this.#sheets.length), xml);
  }

  async *#parts(parts: typeof FIRST_PARTS): AsyncGenerator<Uint8Array> {
    for (const part of parts) yield* this.#zip.entry(part.name, textSource(part.xml));
  }

  #about(): string {
    const { queryId, started } = this.#options;
    return this.#written
      .map(({ name, about, parameters, sheets, rows }) =>
        markedRow(
          textCell(fitting(name)),
          textCell(fitting(sheets.join(', '))),
          numberCell(rows),
          textCell(fitting(about)),
          textCell(queryId),
          dateTimeCell(started),
          textCell(fitting(parameters)),
        ),
      )
      .join('');
  }
}

/** A statement may be longer than a cell. */
const fitting = (text: string): string =>
  text.length <= CELL_CHARACTERS_MAX ? text : `${text.slice(0, CELL_CHARACTERS_MAX - 1).toWellFormed()}…`;

interface WrittenResult {
  readonly name: string;
  readonly about: string;
  readonly parameters: string;
  readonly sheets: readonly string[];
  readonly rows: number;
}

const textColumns = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name, type: 'varchar' }));
const ABOUT_COLUMNS = textColumns('Result', 'Sheets', 'Rows', 'About', 'Query ID', 'Started (UTC)', 'Parameters');
const OVERFLOW_COLUMNS = textColumns('Sheet', 'Cell', 'Part', 'Text');

async function* taken(rows: SheetRows, rowsMax: number, counted: { rows: number }): AsyncGenerator<Uint8Array> {
  counted.rows += yield* rows.take(rowsMax);
}

async function* numbered(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const number = numberRows(2);
  for await (const bytes of rows) yield number(bytes);
}

const overflowRow = ({ column, part, xml }: OverflowPart, sheet: string, row: number): string =>
  markedRow(
    textCell(sheet),
    textCell(`${columnLetters(column)}${row}`),
    numberCell(part),
    `${TEXT_CELL.openPreserved}${xml}${TEXT_CELL.close}`,
  );

/** Returns the letters of a column from 0 on: `A`, `Z`, `AA`, ... */
function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${columnLetters(Math.floor(column / 26) - 1)}${last}`;
}
