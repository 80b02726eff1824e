import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readQuery } from '../http-client.ts';
import { measureHttp } from '../measure.ts';
import { memoryOf } from '../process-tree.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { median } from '../statistics.ts';
import { makeBenchItem } from './marketplace-item.ts';
import { longWorkbook } from './marketplace-workbook.ts';
import { type BenchContext, type Scenario, TABLES } from './scenario.ts';

const MIB = 1024 * 1024;
const EXCELJS = fileURLToPath(new URL('../baseline-exceljs-main.js', import.meta.url));
const XLSX = '/query/download/xlsx';
const CSV = '/query/download/csv';

/** Compares workbooks with exceljs' streaming writer and archives with single files, measures memory, and reads a long workbook back. */
export const marketplace: Scenario = async (context) => [
  ...(await againstExceljs(context)),
  ...(await archiveAgainstFile(context)),
  await memoryByRows(context),
  await longWorkbook(context),
];

interface WrittenRows {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly rows: number;
}

/** Rows that exceljs writes: a sample, since it takes minutes where Sluice takes seconds. */
const SAMPLE_ROWS = 100_000;

async function againstExceljs({ sluice, database, rounds, print }: BenchContext): Promise<readonly Finding[]> {
  const { sql, rows } = TABLES.lineitem;
  await measureHttp(sluice, XLSX, sql); // warm-up
  const measured = await runUndisturbed(rounds, async () => ({
    exceljs: await writeByExceljs(database, sql),
    csv: await measureHttp(sluice, CSV, sql),
    xlsx: await measureHttp(sluice, XLSX, sql),
  }));
  const perRow = (what: readonly { readonly ms: number; readonly cpuSeconds: number }[], count: number) => ({
    wallUs: (median(what.map(({ ms }) => ms)) * 1000) / count,
    cpuUs: (median(what.map(({ cpuSeconds }) => cpuSeconds)) * 1e6) / count,
  });
  const theirs = perRow(
    measured.results.map((round) => round.exceljs),
    SAMPLE_ROWS,
  );
  const ours = perRow(
    measured.results.map((round) => round.xlsx),
    rows,
  );
  const firstByteMs = median(measured.results.map((round) => round.xlsx.firstByteMs));
  print(`  XLSX: ${speedOf(ours.wallUs)} thousand rows/s over HTTP, exceljs ${speedOf(theirs.wallUs)}`);
  return [
    {
      name: 'XLSX, 16 columns, wall, × of exceljs',
      measured: theirs.wallUs / ours.wallUs,
      unit: '×',
      floor: 5,
      goal: 8,
      better: 'higher',
      detail: `${speedOf(ours.wallUs)} against ${speedOf(theirs.wallUs)} thousand rows/s, first byte ${firstByteMs.toFixed(0)} ms${disturbance(measured)}`,
    },
    {
      name: 'XLSX, 16 columns, CPU, × of exceljs',
      measured: theirs.cpuUs / ours.cpuUs,
      unit: '×',
      floor: 4,
      goal: 6,
      better: 'higher',
      detail: `${ours.cpuUs.toFixed(1)} against ${theirs.cpuUs.toFixed(1)} µs a row`,
    },
  ];
}

const speedOf = (wallUs: number): string => (1000 / wallUs).toFixed(0);

async function writeByExceljs(database: string, sql: string): Promise<WrittenRows> {
  const { stdout } = await promisify(execFile)(process.execPath, [EXCELJS, database, sql, String(SAMPLE_ROWS)]);
  const written = JSON.parse(stdout) as WrittenRows;
  if (written.rows !== SAMPLE_ROWS) throw new Error(`exceljs wrote ${written.rows} rows`);
  return written;
}

/**
 * Ratios to the speed of the single file. Deflate of 117 MB takes 1.0 s of processor time at level 1 (measured), as much as two whole
 * plain downloads, so an archive that is compressed cannot come near the single file on two processors.
 */
const ARCHIVES = [
  { compression: 'deflate', floor: 0.45, goal: 0.6 },
  { compression: 'store', floor: 0.9, goal: 0.95 },
] as const;

/** Compares the same rows as a file and as a member of an archive, whose other member has one row. */
async function archiveAgainstFile({ sluice, rounds }: BenchContext): Promise<readonly Finding[]> {
  const { sql } = TABLES.lineitem;
  const item = await makeBenchItem(sluice, { big: sql, small: 'SELECT 1 AS one' });
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  const archive = (compression: string) => async () =>
    await readQuery({ sluice, path: `/marketplace/${item}/download/csv?compression=${compression}` }, {});
  await archive('deflate')(); // warm-up
  const measured = await runUndisturbed(rounds, async () => ({
    csv: await timed(() => measureHttp(sluice, CSV, sql)),
    deflate: await timed(archive('deflate')),
    store: await timed(archive('store')),
  }));
  const csvMs = median(measured.results.map((round) => round.csv));
  return ARCHIVES.map(({ compression, floor, goal }) => {
    const zipMs = median(measured.results.map((round) => round[compression]));
    return {
      name: `ZIP of CSV (${compression}), 16 columns, wall, × of the single file`,
      measured: csvMs / zipMs,
      unit: '×',
      floor,
      goal,
      better: 'higher',
      detail: `${zipMs.toFixed(0)} against ${csvMs.toFixed(0)} ms${disturbance(measured)}`,
    };
  });
}

/** Measures the memory of the host, which writes the workbook; three million rows are three sheets. */
async function memoryByRows(context: BenchContext): Promise<Finding> {
  await peakOf(context, 300_000); // one-time buffers are not growth
  const few = await peakOf(context, 300_000);
  const many = await peakOf(context, 3_000_000);
  return {
    name: 'XLSX, host peak, 3 million rows over 300,000',
    measured: (many - few) / MIB,
    unit: 'MiB',
    floor: 32,
    goal: 8,
    better: 'lower',
    detail: `${(many / MIB).toFixed(0)} over ${(few / MIB).toFixed(0)} MiB`,
  };
}

async function peakOf({ sluice }: BenchContext, rows: number): Promise<number> {
  const sql = `${TABLES.flights.sql} LIMIT ${rows}`;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(sluice.pid).residentBytes);
  }, 50);
  try {
    await readQuery({ sluice, path: XLSX }, { sql });
  } finally {
    clearInterval(timer);
  }
  return peak;
}
