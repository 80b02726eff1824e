import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openQuery } from '../http-client.ts';
import type { Finding } from '../report.ts';
import { makeBenchItem } from './marketplace-item.ts';
import type { BenchContext } from './scenario.ts';

const ROWS = 3_000_000;
const SQL = `SELECT range AS n, 'row ' || range AS name, range / 8 AS eighth FROM range(${ROWS})`;
const HEADERS = 3;

/** Content of a sheet, as an independent reader finds it, which checks the CRC of every member and parses every sheet completely. */
interface SheetFound {
  readonly rows: number;
  readonly sum: number;
  readonly last: readonly string[];
}

/** Uses expat and zipfile of Python: openpyxl takes 15 minutes. The first two cells of a row are its number and its name. */
const CHECK = `
import json, sys, zipfile, xml.parsers.expat
def look(source):
    found = {"rows": 0, "sum": 0, "last": []}
    text = []
    cells = []
    def start(name, attributes):
        text.clear()
        if name == "row": cells.clear()
    def end(name):
        if name in ("v", "t"): cells.append("".join(text))
        if name == "row":
            found["rows"] += 1
            if found["rows"] > 1: found["sum"] += int(cells[0])
            found["last"] = list(cells)
    parser = xml.parsers.expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
    parser.ParseFile(source)
    return found
with zipfile.ZipFile(sys.argv[1]) as book:
    sheets = sorted(name for name in book.namelist() if name.startswith("xl/worksheets/sheet"))
    json.dump([look(book.open(name)) for name in sheets[:-1]], sys.stdout)
`;

/** Downloads an item of three million rows as a workbook and reads it back: every row must be present once, on three sheets. */
export async function longWorkbook({ sluice, print }: BenchContext): Promise<Finding> {
  const item = await makeBenchItem(sluice, { numbers: SQL });
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const file = join(folder, 'item.xlsx');
    const start = performance.now();
    const response = await openQuery(sluice, `/marketplace/download?id=${item}&format=xlsx`, {});
    await pipeline(response, createWriteStream(file));
    const seconds = (performance.now() - start) / 1000;
    print('  Reading the workbook of three million rows back ...');
    const { stdout } = await promisify(execFile)('python3', ['-c', CHECK, file]);
    const sheets = JSON.parse(stdout) as readonly SheetFound[];
    const rows = sheets.reduce((sum, sheet) => sum + sheet.rows, 0) - HEADERS;
    const isWhole = sheets.length === HEADERS && sheets.reduce((sum, sheet) => sum + sheet.sum, 0) === SUM;
    const lasts = sheets.map(({ last }) => last[1]).join(', ');
    return {
      name: 'XLSX, item of 3 million rows, read back',
      measured: isWhole ? rows : 0,
      unit: 'rows',
      floor: ROWS,
      goal: ROWS,
      better: 'higher',
      detail: `${((await stat(file)).size / 1024 ** 2).toFixed(0)} MiB in ${seconds.toFixed(1)} s; ${sheets.length} sheets that end with ${lasts}`,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const SUM = (ROWS * (ROWS - 1)) / 2;
