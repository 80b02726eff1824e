import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { shortOrLong } from '@sluice/testkit';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { PlainDuckDb } from '../../../testing/plain-duckdb.ts';
import { formatSpec, type ReadOptions, readResult } from '../../../testing/read-result.ts';
import type { Engine } from '../../engine.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

let engine: DuckDbEngine;
let plain: PlainDuckDb;
beforeAll(async () => {
  engine = await DuckDbEngine.open(EMPTY_DUCKDB);
  plain = await PlainDuckDb.open(EMPTY_DUCKDB);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  plain[Symbol.dispose]();
});

const FORMATS: readonly ReadOptions['format'][] = [{ name: 'json' }, { name: 'csv' }, { name: 'xlsx' }];

/** The rows before a failure, and the failure. */
async function readFailing(
  engine: Pick<Engine, 'run'>,
  statement: string,
  spec: ReadOptions['format'],
  rowsMax?: number,
) {
  const format = createFormat(formatSpec(spec));
  const query = {
    sql: statement,
    queryId: '00000000-0000-4000-8000-000000000000',
    user: 'reader@acme.example',
    timeZone: 'UTC',
    rowsMax,
  };
  const chunks: Uint8Array[] = [];
  try {
    for await (const event of engine.run(query, (columns) => format.row(columns), new AbortController().signal)) {
      if (event.kind === 'rows') chunks.push(event.bytes);
    }
  } catch (thrown) {
    const { code, message, location } = thrown as { code: string; message: string; location?: unknown };
    return { rows: Buffer.concat(chunks), problem: { code, message, location } };
  }
  throw new Error('The statement did not fail.');
}

describe('a statement that fails in row', () => {
  const ROWS = 10_000;
  const statement = (expression: string): string =>
    `SELECT i, 'text of ' || i AS t,\n  ${expression} AS v FROM range(${ROWS}) AS r(i)`;
  /** Lists whose text is longer than what the module copies at once, among short ones. */
  const LISTS = `[repeat('long', CASE WHEN i % 16 = 0 THEN 2000 ELSE 1 END)]`;
  /** Rows of statements that do not fail, which are the same for every row that fails. */
  const healthyRows = new Map<string, Promise<string>>();
  const rowsOfHealthy = (expression: string, format: ReadOptions['format']): Promise<string> => {
    const key = `${format.name} ${expression}`;
    const found =
      healthyRows.get(key) ?? readResult(engine, statement(expression), { format }).then(({ rowsText }) => rowsText);
    healthyRows.set(key, found);
    return found;
  };
  afterAll(() => healthyRows.clear());

  const FAILING_ROWS = [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 6_145, 9_999];
  it.each(FAILING_ROWS)('%i sends only rows before that one, and fails as with the plain writer', async (row) => {
    const cases = [
      [`CASE WHEN i = ${row} THEN error('row ${row}') ELSE 'text ' || i END`, `'text ' || i`],
      [`(CASE WHEN i = ${row} THEN 'x' ELSE i::VARCHAR END)::INTEGER`, 'i::VARCHAR::INTEGER'],
      [`[(CASE WHEN i = ${row} THEN 'x' ELSE i::VARCHAR END)::DATE]`, undefined],
      [`CASE WHEN i = ${row} THEN error('row ${row}') ELSE ${LISTS} END`, LISTS],
    ] as const;
    for (const [index, [failing, healthy]] of cases.entries()) {
      // Every case in every format, but not in every row; the long form tries all.
      const turn = index + FAILING_ROWS.indexOf(row);
      for (const format of FORMATS.filter((_, at) => (at - turn) % shortOrLong(FORMATS.length, 1) === 0)) {
        const expected = await readFailing(plain, statement(failing), format);
        const failed = await readFailing(engine, statement(failing), format);
        expect(failed.problem).toEqual(expected.problem);
        if (healthy === undefined) continue; // fails in its first row
        const rowsText = await rowsOfHealthy(healthy, format);
        expect(rowsText.startsWith(failed.rows.toString())).toBe(true);
      }
    }
  });

  it.each([0, 1, 998, 999])('%i sends no row if the result is small', async (row) => {
    const statement = `SELECT i, (CASE WHEN i = ${row} THEN 'x' ELSE i::VARCHAR END)::INTEGER AS v FROM range(1000) AS r(i)`;
    for (const format of FORMATS) {
      const expected = await readFailing(plain, statement, format, 1_000);
      const failed = await readFailing(engine, statement, format, 1_000);
      expect([failed.problem, failed.rows.length]).toEqual([expected.problem, 0]);
    }
  });
});

describe('a result', () => {
  it('after one that was left early, or that failed, has the same bytes', async () => {
    const statement = `SELECT i, 'text of row ' || i AS t FROM range(100000) AS r(i)`;
    const expected = await readResult(plain, statement, { format: { name: 'json' } });
    for (let again = 0; again < 3; again += 1) {
      const format = createFormat(formatSpec({ name: 'json' }));
      const query = {
        sql: statement,
        queryId: '00000000-0000-4000-8000-000000000000',
        user: 'a@b.example',
        timeZone: 'UTC',
        rowsMax: undefined,
      };
      for await (const event of engine.run(query, (columns) => format.row(columns), new AbortController().signal)) {
        if (event.kind === 'rows') break;
      }
      await readFailing(engine, 'SELECT error(i::VARCHAR) FROM range(5000) AS r(i)', { name: 'csv' });
      const { body } = await readResult(engine, statement, { format: { name: 'json' } });
      expect(body === expected.body).toBe(true);
    }
  });
});
