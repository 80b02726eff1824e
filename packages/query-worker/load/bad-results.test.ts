import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FormatSpec } from '@sluice/encoders';
import { EMPTY_DUCKDB, formatSpec } from '@sluice/engine/testing';
import { isRunning, jobOf, memoryOf, never, openPool, type TestPool, until } from '../testing/workers.ts';

const MIB = 1024 ** 2;
/** The smallest value of WORKER_MEMORY. */
const ADDRESS_SPACE = 1536 * MIB;
/** Profile that the resolver creates for that value. */
const PROFILE = { ...EMPTY_DUCKDB, memoryBytesMax: Math.floor((ADDRESS_SPACE - 900 * MIB) * 0.6) };

let test: TestPool;
beforeAll(async () => {
  test = await openPool({ addressSpaceBytesMax: ADDRESS_SPACE });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

interface Outcome {
  readonly sha256: string;
  readonly rows: number;
  readonly bytes: number;
  /** Error code and message. */
  readonly failure: string | undefined;
  readonly residentBytesMax: number;
}

/** Runs a job in a new worker, which ends with it. */
async function outcomeOf(sql: string, rowWriter: 'webassembly' | 'sql', format: FormatSpec): Promise<Outcome> {
  const key = `${rowWriter} ${sql}`;
  using lease = await test.acquire(key, never());
  const [pid = 0] = test.pool.pids.slice(-1);
  const job = {
    ...jobOf(sql, key, format),
    engine: { kind: 'duckdb', key, profile: { ...PROFILE, rowWriter } } as const,
  };
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  let failure: string | undefined;
  try {
    for await (const event of lease.run(job, never())) {
      if (event.kind !== 'rows') continue;
      hash.update(event.bytes);
      rows += event.rows;
      bytes += event.bytes.byteLength;
    }
  } catch (thrown) {
    const { code, message } = thrown as { code: string; message: string };
    failure = `${code}: ${message}`;
  }
  const residentBytesMax = isRunning(pid) ? memoryOf(pid, 'VmHWM') : 0;
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid));
  return { sha256: hash.digest('hex'), rows, bytes, failure, residentBytesMax };
}

const columns = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    ['i + #', "'text ' || (i + #)", 'i / 7 + #', 'NULL', "DATE '2001-01-01' + #"][index % 5]?.replace('#', `${index}`),
  ).join(', ');

const CSV = formatSpec({ name: 'csv' });
const JSON_ROWS = formatSpec({ name: 'json' });

describe('a worker with the least memory', () => {
  it.each([
    ['a row of 100 MB as CSV', `SELECT i, repeat('a"é,' || i, 16666667) AS t FROM range(1) AS r(i)`, CSV, 1],
    ['a row of 100 MB as JSON', `SELECT i, repeat('a"é,' || i, 16666667) AS t FROM range(1) AS r(i)`, JSON_ROWS, 1],
    [
      '2,048 strings of 100 KB as CSV',
      `SELECT i, repeat(md5(i::VARCHAR), 3200) AS t FROM range(2048) AS r(i)`,
      CSV,
      2_048,
    ],
    [
      '2,048 strings of 100 KB as JSON',
      `SELECT i, repeat(md5(i::VARCHAR), 3200) AS t FROM range(2048) AS r(i)`,
      JSON_ROWS,
      2_048,
    ],
    ['2,000 columns', `SELECT ${columns(2_000)} FROM range(100) AS r(i)`, CSV, 100],
  ] as const)(
    'writes %s with the same bytes or the same error as SQL, within its limit',
    async (_, sql, format, rows) => {
      const expected = await outcomeOf(sql, 'sql', format);
      const written = await outcomeOf(sql, 'webassembly', format);
      process.stdout.write(
        `${_}: ${written.rows} rows, ${Math.round(written.bytes / MIB)} MiB, ${written.failure ?? 'no error'}; peak of resident memory ${Math.round(written.residentBytesMax / MIB)} MiB, with SQL ${Math.round(expected.residentBytesMax / MIB)} MiB\n`,
      );
      expect(written.residentBytesMax).toBeLessThan(ADDRESS_SPACE);
      // Where SQL needs more memory than there is, the module may still succeed.
      if (expected.failure !== undefined && written.failure === undefined) return;
      expect({ ...written, residentBytesMax: 0 }).toEqual({ ...expected, residentBytesMax: 0 });
      expect(written.rows).toBe(rows);
    },
    300_000,
  );
});

describe('a worker that is killed', () => {
  it('while it sends any frame ends the result with an error, and every byte before it is right', async () => {
    const sql = "SELECT i, 'text of row ' || i AS t FROM range(20000) AS r(i)";
    const read = async (frames: number): Promise<{ readonly bytes: Buffer; readonly failure: unknown }> => {
      using lease = await test.acquire('killed', never());
      const [pid = 0] = test.pool.pids.slice(-1);
      const chunks: Uint8Array[] = [];
      try {
        for await (const event of lease.run(jobOf(sql, 'killed'), never())) {
          if (event.kind === 'rows') chunks.push(Uint8Array.from(event.bytes));
          if (chunks.length === frames && isRunning(pid)) process.kill(pid, 'SIGKILL');
        }
      } catch (thrown) {
        return { bytes: Buffer.concat(chunks), failure: (thrown as { code: string }).code };
      }
      return { bytes: Buffer.concat(chunks), failure: undefined };
    };
    const whole = await read(-1);
    expect(whole.failure).toBeUndefined();
    for (const frames of [0, 1, 2, 4]) {
      const cut = await read(frames);
      if (cut.failure !== undefined) expect(cut.failure).toBe('engine_crashed');
      expect(whole.bytes.subarray(0, cut.bytes.length).equals(cut.bytes)).toBe(true);
      // Frames that were in the channel may still complete the result.
      expect(cut.failure === undefined).toBe(cut.bytes.length === whole.bytes.length);
    }
  }, 120_000);
});
