import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PythonProgram, pythonPackage } from '@sluice/testkit';
import exceljs from 'exceljs';

/**
 * Cell value in a form common to all readers. A date or time is its ISO 8601 text with milliseconds; a time without a date is of
 * 1899-12-30, day 0 of a spreadsheet.
 */
export type ReadCell =
  | null
  | { readonly text: string }
  | { readonly number: number }
  | { readonly boolean: boolean }
  | { readonly moment: string };

export type ReadWorkbook = readonly { readonly name: string; readonly rows: readonly (readonly ReadCell[])[] }[];

/** Reads with exceljs, which does not decode `_xHHHH_` and treats an empty string as an empty cell. */
export async function readByExceljs(file: Buffer): Promise<ReadWorkbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file as unknown as ArrayBuffer);
  return workbook.worksheets.map((sheet) => {
    const rows: ReadCell[][] = [];
    sheet.eachRow({ includeEmpty: true }, (row) => {
      const cells: ReadCell[] = [];
      for (let column = 1; column <= sheet.columnCount; column += 1) cells.push(cellOf(row.getCell(column).value));
      rows.push(cells);
    });
    return { name: sheet.name, rows };
  });
}

/** Decodes `_xHHHH_` (ECMA-376 part 1, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

function cellOf(value: exceljs.CellValue): ReadCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return { moment: value.toISOString() };
  if (typeof value === 'number') return { number: value };
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'string') return { text: unescaped(value) };
  if ('richText' in value) return { text: value.richText.map((part) => part.text).join('') };
  throw new Error(`unexpected cell value ${JSON.stringify(value)}`);
}

const run = promisify(execFile);
const { python, install } = pythonPackage('openpyxl==3.1.5');

/** Reads files with openpyxl. The test file that uses it disposes of it. */
export const openpyxl = new PythonProgram(
  python,
  `
import datetime, openpyxl
from openpyxl.utils.escape import unescape
def cell(c):
    v = c.value
    if c.data_type == "f": raise ValueError("a formula")
    if isinstance(v, type(None)): return None
    if isinstance(v, bool): return {"boolean": v}
    if isinstance(v, (int, float)): return {"number": v}
    if isinstance(v, datetime.datetime): return {"moment": v.isoformat(timespec="milliseconds") + "Z"}
    if isinstance(v, datetime.time): return {"moment": "1899-12-30T" + v.isoformat(timespec="milliseconds") + "Z"}
    return {"text": unescape(v)}
def handle(path):
    book = openpyxl.load_workbook(path)
    return [{"name": s.title, "rows": [[cell(c) for c in r] for r in s.iter_rows()]} for s in book]
`,
);

/** Installs openpyxl if it is missing. */
export async function installOpenpyxl(): Promise<void> {
  const isInstalled = await openpyxl.start().then(
    () => true,
    () => false,
  );
  if (!isInstalled) await install();
}

/** Reads with openpyxl, which does not decode `_xHHHH_` either, so the script does. */
export async function readByOpenpyxl(file: Buffer): Promise<ReadWorkbook> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-workbook-'));
  try {
    const path = join(folder, 'book.xlsx');
    await writeFile(path, file);
    return (await openpyxl.call(path)) as ReadWorkbook;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Totals of a sheet with a header, numbers in the first column and strings in the second. */
interface SheetSum {
  /** Includes the header. */
  readonly rows: number;
  readonly sum: number;
  readonly last: string;
}

const SUM_SCRIPT = `
import json, sys, openpyxl
def sum_up(sheet):
    rows, total, last = 0, 0, ""
    for first, second, *_ in sheet.iter_rows(values_only=True):
        rows += 1
        if rows > 1 and isinstance(first, int): total += first
        last = second
    return {"rows": rows, "sum": total, "last": last}
book = openpyxl.load_workbook(sys.argv[1], read_only=True)
json.dump([sum_up(s) for s in book], sys.stdout)
`;

/** Reads the totals of a file that is too large for memory as cells, in the order of its sheets. */
export async function sumUpByOpenpyxl(path: string): Promise<readonly SheetSum[]> {
  return JSON.parse((await run(python, ['-c', SUM_SCRIPT, path])).stdout) as readonly SheetSum[];
}
