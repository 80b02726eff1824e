import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import type { TrinoProfile } from '../src/trino/protocol/profile.ts';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import { describeEngine } from './engine-contract.ts';
import { readResult } from './read-result.ts';
import { type RequestCounter, startRequestCounter } from './request-counter.ts';
import { createTrinoFixture, runOnTrino, TRINO_SQL } from './trino-fixture.ts';

// Run by `npm run test:spooled`, which starts a Trino that keeps results in an S3-compatible store, and says where both are.
// biome-ignore-start lint/style/noProcessEnv: a test run gets the addresses of its servers from the environment, as a service does
const trinoUrl = process.env['SLUICE_TEST_SPOOLED_TRINO'] ?? 'http://127.0.0.1:28092';
const storeUrl = process.env['SLUICE_TEST_SPOOLED_STORE'] ?? 'http://127.0.0.1:29010';
// biome-ignore-end lint/style/noProcessEnv: as above

const ROWS = 300_000;
/** Returns rows in order without a sort, and more than Trino puts into the page itself. */
const SQL = `SELECT id, rpad(CAST(id AS varchar), 40, 'x') AS text FROM (${TRINO_SQL.rows(ROWS)}) AS r`;

let trino: RequestCounter;
beforeAll(async () => {
  trino = await startRequestCounter(trinoUrl);
});
afterAll(async () => await trino?.[Symbol.asyncDispose]());

const engineWith = (profile: Partial<TrinoProfile>): TrinoEngine =>
  new TrinoEngine({
    baseUrl: trino.url,
    catalogs: ['tpch'],
    defaultCatalog: 'tpch',
    credentials: { kind: 'none' },
    segmentOrigins: [storeUrl],
    ...profile,
  });

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readWith(profile: Partial<TrinoProfile>, sql = SQL): Promise<readonly [string, number]> {
  await using engine = engineWith(profile);
  const { rowsText, rows } = await readResult(engine, sql, { format: { name: 'csv' } });
  return [digestOf(rowsText), rows];
}

describe('a result that Trino stores in segments', () => {
  it('has the rows of the direct protocol, in order, and its segments are acknowledged', async () => {
    const plain = await readWith({ spooling: 'off' });
    expect(trino.count(/\/v1\/spooled\//)).toBe(0);
    const spooled = await readWith({});
    expect(spooled).toEqual(plain);
    expect(plain[1]).toBe(ROWS);
    // The last acknowledgement is not awaited: segments without one are dropped by age.
    expect(trino.count(/^GET \/v1\/spooled\/ack\//)).toBeGreaterThan(0);
  });

  it('is read within a memory limit that also holds a single segment', async () => {
    const limits = { aheadBytesMax: 1 };
    expect(await readWith({ limits })).toEqual(await readWith({ spooling: 'off' }));
  });

  it('has every type exactly as without segments', async () => {
    const { sql } = TRINO_SQL.everyType;
    expect(await readWith({}, sql)).toEqual(await readWith({ spooling: 'off' }, sql));
  });

  it('is cancelled on Trino if its reader stops among the segments', async () => {
    const mark = `spooled ${process.pid}`;
    await using engine = engineWith({});
    const abort = new AbortController();
    const read = readResult(engine, `/* ${mark} */ ${TRINO_SQL.slowAfterRows}`, {
      format: { name: 'json' },
      signal: abort.signal,
    });
    const ask = `SELECT state, error_code FROM system.runtime.queries WHERE query LIKE '/* ${mark} */%'`;
    while ((await runOnTrino(trinoUrl, ask))[0]?.[0] !== 'RUNNING') expect(abort.signal.aborted).toBe(false);
    abort.abort(new ProblemError('query_cancelled', 'Stopped by the test.'));
    await expect(read).rejects.toMatchObject({ code: 'query_cancelled' });
    let [state] = await runOnTrino(trinoUrl, ask);
    for (const until = performance.now() + 5_000; state?.[0] !== 'FAILED' && performance.now() < until; )
      [state] = await runOnTrino(trinoUrl, ask);
    expect(state).toEqual(['FAILED', 'USER_CANCELED']);
  });
});

describeEngine('Trino with the spooled protocol', () => createTrinoFixture(trinoUrl));
