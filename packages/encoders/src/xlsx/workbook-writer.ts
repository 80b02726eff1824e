import type { Column } from '@sluice/contract';
import { temporaryFileProblem } from '@sluice/contract/problems';
import { textSource, ZipWriter } from '../zip/zip-writer.ts';
import { dateTimeCell, markedRow, numberCell, ROW_MARK, TEXT_CELL, textCell, xmlAttribute } from './cell-xml.ts';
import { type DateCellCounts, writeDateCells } from './date-cells.ts';
import { numberRows } from './number-rows.ts';
import type { RowsChunk } from './rows-chunk.ts';
import { createSheetFormat, SHEET_END } from './sheet-format.ts';
import { CELL_CHARACTERS_MAX, SHEET_ROWS_MAX } from './sheet-limits.ts';
import { SheetNames } from './sheet-names.ts';
import { type OverflowPart, shortenCells } from './shorten-cells.ts';
import { Spool } from './spool.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET_ML = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Parts of a workbook besides its sheets (ECMA-376 part 2; part 1, 18.2 and 18.8). */
interface WorkbookPart {
  readonly name: string;
  readonly xml: string;
}

const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Parts that do not depend on the number of sheets. */
const FIRST_PARTS: readonly WorkbookPart[] = [
  {
    name: '[Content_Types].xml',
    xml:
      `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="${SHEET_ML}.worksheet+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_ML}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${SHEET_ML}.styles+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    xml: `${XML}<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/styles.xml',
    xml:
      `${XML}<styleSheet xmlns="${MAIN}">` +
      '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
      '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/>' +
      '<numFmt numFmtId="166" formatCode="hh:mm:ss.000"/></numFmts>' +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  },
];

/** Parts that name the sheets, in order. */
const lastParts = (sheets: readonly string[]): readonly WorkbookPart[] => [
  {
    name: 'xl/workbook.xml',
    xml:
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      sheets
        .map((name, index) => `<sheet name="${xmlAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('') +
      '</sheets></workbook>',
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    xml:
      `${XML}<Relationships xmlns="${RELATIONSHIPS}">` +
      sheets
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join('') +
      `<Relationship Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  },
];

const MARK = ROW_MARK.charCodeAt(0);

/** Rows of one result, read sheet by sheet. */
class SheetRows {
  readonly #chunks: AsyncIterator<RowsChunk>;
  #next: RowsChunk | undefined;

  constructor(chunks: AsyncIterator<RowsChunk>) {
    this.#chunks = chunks;
  }

  /** Returns whether rows are left; waits for the next rows to find out. */
  async hasMore(): Promise<boolean> {
    if (this.#next !== undefined) return true;
    const step = await this.#chunks.next();
    if (step.done !== true) this.#next = step.value;
    return this.#next !== undefined;
  }

  /**
   * Returns at most this many rows, or all that are left. Each piece is valid until the next is requested, because its memory is
   * reused.
   */
  async *take(rowsMax: number): AsyncGenerator<Uint8Array, number> {
    const numbered = numberRows(2);
    let rows = 0;
    while (rows < rowsMax && (await this.hasMore())) {
      const chunk = this.#next as RowsChunk;
      if (rows + chunk.rows <= rowsMax) {
        this.#next = undefined;
        rows += chunk.rows;
        yield numbered(chunk.bytes);
      } else {
        const wanted = rowsMax - rows;
        const at = startOfRow(chunk.bytes, wanted);
        this.#next = { rows: chunk.rows - wanted, bytes: chunk.bytes.subarray(at) };
        rows = rowsMax;
        yield numbered(chunk.bytes.subarray(0, at));
      }
    }
    return rows;
  }
}

/** Returns the index after this many rows. The first row may have started in another chunk. */
function startOfRow(bytes: Uint8Array, rows: number): number {
  let at = bytes[0] === MARK ? 0 : bytes.indexOf(MARK);
  for (let row = bytes[0] === MARK ? 0 : 1; row < rows; row += 1) at = bytes.indexOf(MARK, at + 1);
  return at;
}

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
  /**
   * Zone of the date cells, for results whose format has `marked` dates. About then counts the values that the cells changed or cannot
   * hold. Undefined if dates are exact.
   */
  readonly dateZone?: string | undefined;
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
    yield* this.#sheet('About', this.#framed(this.#aboutColumns(), numbered(textSource(this.#about()))));
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
    const { dateZone } = this.#options;
    const dates: DateCellCounts = { rounded: 0, text: 0 };
    const written = dateZone === undefined ? result.rows : writeDateCells(result.rows, dateZone, dates);
    const chunks = shortenCells(written, (part) =>
      spool.write(overflowRow(part, sheetName(Math.floor(part.row / perSheet)), (part.row % perSheet) + 2)),
    );
    const rows = new SheetRows(chunks[Symbol.asyncIterator]());
    const counted = { rows: 0 };
    for (let index = 0; index === 0 || (await rows.hasMore()); index += 1) {
      yield* this.#sheet(sheetName(index), this.#framed(result.columns, taken(rows, perSheet, counted)));
    }
    const { name, about, parameters = '' } = result;
    this.#written.push({ name, about, parameters, sheets, rows: counted.rows, dates });
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

  #aboutColumns(): readonly Column[] {
    return this.#options.dateZone === undefined ? ABOUT_COLUMNS : [...ABOUT_COLUMNS, ...DATE_COLUMNS];
  }

  #about(): string {
    const { queryId, started, dateZone } = this.#options;
    return this.#written
      .map(({ name, about, parameters, sheets, rows, dates }) =>
        markedRow(
          textCell(fitting(name)),
          textCell(fitting(sheets.join(', '))),
          numberCell(rows),
          textCell(fitting(about)),
          textCell(queryId),
          dateTimeCell(started),
          textCell(fitting(parameters)),
          ...(dateZone === undefined ? [] : [textCell(dateZone), numberCell(dates.rounded), numberCell(dates.text)]),
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
  readonly dates: DateCellCounts;
}

const textColumns = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name, type: 'varchar' }));
const ABOUT_COLUMNS = textColumns('Result', 'Sheets', 'Rows', 'About', 'Query ID', 'Started (UTC)', 'Parameters');
const DATE_COLUMNS = textColumns('Time zone of dates', 'Dates rounded to milliseconds', 'Dates kept as text');
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
