import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROBLEMS, type ProblemError } from '@sluice/contract';
import { shortOrLong } from '@sluice/testkit';
import { EMPTY_DUCKDB, openEmptyDuckDb } from '../../testing/open-duckdb.ts';
import { readResult } from '../../testing/read-result.ts';
import { DuckDbEngine } from './duckdb-engine.ts';
import { AbandonedWork, tooComplex, withProcessorLimit } from './planning-limit.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('withProcessorLimit', () => {
  it('does not count the time in which the work waits for a processor', async () => {
    expect(await withProcessorLimit(delay(1_500, 'planned'), 1_000, tooComplex)).toBe('planned');
  });

  it('abandons work that uses more processor time', async () => {
    const work = readResult(engine, 'SELECT sum(hash(i)) AS v FROM range(100000000) AS r(i)', {
      format: { name: 'json' },
    });
    const failure = await withProcessorLimit(work, 200, tooComplex).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(AbandonedWork);
    await work;
  });
});

describe('planning', () => {
  it.each([
    ['csv', 5_000],
    // Planning a workbook is quadratic in its columns: 20 s of processor time for 5,000 (measured).
    ['xlsx', shortOrLong(800, 2_000, 5_000)],
  ] as const)(
    'as %s of %i columns is within the limit',
    async (name, width) => {
      const columns = Array.from({ length: width }, (_, index) => `i / ${index + 1} AS c${index}`).join(', ');
      const { rows } = await readResult(engine, `SELECT ${columns} FROM range(3) AS r(i)`, { format: { name } });
      expect(rows).toBe(3);
    },
    120_000,
  );

  it('that doubles with each level ends with an explanation, and must not be retried', async () => {
    const limited = await DuckDbEngine.open({ ...EMPTY_DUCKDB, planningMsMax: 200 });
    const nested = `${'array_to_string(['.repeat(12)}'a'${"], ',')".repeat(12)}`;
    const failure = await readResult(limited, `SELECT ${nested} AS v`, { format: { name: 'json' } }).then(
      () => undefined,
      (thrown: ProblemError) => thrown,
    );
    expect(failure).toMatchObject({
      code: 'resource_limit',
      message: expect.stringMatching(/^The query was not run: planning it took more than 0\.2 s of processor time\. /),
    });
    expect(PROBLEMS.resource_limit.retryable).toBe(false);
    expect(limited.mustReplace).toBe(true);
  });
});
