import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '@sluice/engine';
import { EMPTY_DUCKDB, formatSpec } from '@sluice/engine/testing';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';
import exceljs from 'exceljs';
import { leaseOf, openDuckDb } from '../../../tests/queries/engine-lease.ts';
import type { BundledStatement } from './bundle.ts';
import { bundleWorkbook } from './bundle-workbook.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bundle-'));
  engine = await openDuckDb(folder);
});
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const JOB: QueryJob = {
  engine: { kind: 'duckdb', key: 'test', profile: EMPTY_DUCKDB },
  statement: { sql: 'recorded only', queryId: 'q1', user: 'ann@example.com', timeZone: 'UTC' },
  format: formatSpec({ name: 'xlsx' }),
};

/** Runs the statements on DuckDB and returns the workbook, read by another program. */
async function workbookOf(statements: readonly BundledStatement[], overflowBytesMax = 1_000_000) {
  const bundle = bundleWorkbook(statements, { overflowBytesMax });
  const bytes: Buffer[] = [];
  for await (const event of bundle.runner(leaseOf(engine))(JOB, new AbortController().signal)) {
    if (event.kind !== 'rows') continue;
    bytes.push(Buffer.from(event.bytes));
    event.release?.();
  }
  bytes.push(Buffer.from(bundle.format.complete({ queryId: 'q1', rows: 0, limited: false, elapsedMs: 0 })));
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(Buffer.concat(bytes) as unknown as ArrayBuffer);
  return workbook;
}

const valuesOf = (workbook: exceljs.Workbook, sheet: string): unknown[][] => {
  const rows: unknown[][] = [];
  workbook.getWorksheet(sheet)?.eachRow(({ values }) => rows.push((values as unknown[]).slice(1)));
  return rows;
};

const NUMBERS: BundledStatement = { name: 'numbers', sql: 'SELECT n FROM range(3) AS r(n)', about: 'Three numbers' };
const TEXTS: BundledStatement = { name: 'texts', sql: `SELECT 'a' AS t, 2 AS n`, about: 'One row' };

describe('a workbook of several results', () => {
  it('has a sheet for each statement in order, and one that describes them', async () => {
    const workbook = await workbookOf([NUMBERS, TEXTS]);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['numbers', 'texts', 'About']);
    expect(valuesOf(workbook, 'numbers')).toEqual([['n'], [0], [1], [2]]);
    expect(valuesOf(workbook, 'texts')).toEqual([
      ['t', 'n'],
      ['a', 2],
    ]);
    const about = JSON.stringify(valuesOf(workbook, 'About'));
    for (const text of ['q1', 'Three numbers', 'One row']) expect(about).toContain(text);
  });

  it('describes the values of parameters as the JSON of a request, and none for a result without them', async () => {
    const parameters = [{ name: 'least', type: { name: 'bigint' }, value: '1' }] as const;
    const statement = { ...NUMBERS, sql: 'SELECT n FROM range(3) AS r(n) WHERE n >= $least', parameters };
    const workbook = await workbookOf([statement, TEXTS]);
    expect(valuesOf(workbook, 'numbers')).toEqual([['n'], [1], [2]]);
    const texts = valuesOf(workbook, 'About').flat();
    expect(texts.filter((text) => String(text).startsWith('{'))).toEqual(['{"least":1}']);
  });

  it('moves strings longer than a cell to a sheet of their own, within the limit of the disk space', async () => {
    const long = { ...TEXTS, sql: `SELECT repeat('long ', 10000) AS t` };
    const workbook = await workbookOf([long]);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['texts', 'Overflow', 'About']);
    const pieces = valuesOf(workbook, 'Overflow').slice(1);
    expect(pieces.map((piece) => piece[3]).join('')).toBe('long '.repeat(10_000));
    await expect(workbookOf([long], 1_000)).rejects.toMatchObject({ code: 'resource_limit' });
  });

  it('rejects a result with more columns than a sheet has, before its rows', async () => {
    const columns = Array.from({ length: 16_385 }, (_, index) => ({ name: `c${index}`, type: 'integer' }));
    const read: string[] = [];
    const wide: WorkerLease = {
      async *run() {
        yield { kind: 'columns', columns };
        read.push('rows');
      },
      [Symbol.dispose]: () => undefined,
    };
    const events = bundleWorkbook([NUMBERS], { overflowBytesMax: 1_000 }).runner(wide)(
      JOB,
      new AbortController().signal,
    );
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'resource_limit' });
    expect(read).toEqual([]);
  });
});
