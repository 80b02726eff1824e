import { describe, expect, it } from '@jest/globals';
import { type Principal, ProblemError } from '@sluice/contract';
import { buildCaller, until } from '@sluice/testkit';
import { OpenResult } from './open-result.ts';
import { PAGE_BYTES } from './page-buffer.ts';
import { PageReader } from './page-reader.ts';
import type { RowChunk, RowSource } from './row-source.ts';

const FAILURE = new ProblemError('engine_crashed', 'The worker was killed.');
const { principal } = buildCaller('ann');
const { signal } = new AbortController();

interface Given {
  readonly chunks: AsyncIterable<RowChunk>;
  readonly leavesRows?: boolean;
  readonly isKept?: boolean;
}

function open({ chunks, leavesRows = false, isKept = false }: Given) {
  const stopped: ProblemError[] = [];
  const source: RowSource = {
    columns: [{ name: 'n', type: 'varchar' }],
    progress: { state: 'RUNNING', rows: 0, bytes: 0, splitsDone: null, splitsTotal: null },
    isKept,
    get isStopped() {
      return stopped.length > 0;
    },
    chunks,
    leavesRowsToStore: () => leavesRows,
    stop: (reason) => void stopped.push(reason),
  };
  const reader = new PageReader();
  return { result: new OpenResult({ id: 'q', account: principal, source, reader }), reader, stopped };
}

const rowOf = (row: number, width = 1): RowChunk => ({
  rows: 1,
  bytes: Buffer.from(`${row === 0 ? '' : ',\n'}["${'x'.repeat(width)}"]`),
});

async function* rows(count: number, width?: number): AsyncGenerator<RowChunk> {
  for (let row = 0; row < count; row += 1) yield rowOf(row, width);
}

async function* failing(after: number): AsyncGenerator<RowChunk> {
  yield* rows(after);
  throw FAILURE;
}

const never = new Promise<never>(() => undefined);
async function* silent(after: number): AsyncGenerator<RowChunk> {
  yield* rows(after);
  await never;
}

const page = (result: OpenResult, row: number, waitMs = 60_000) => result.page(row, { waitMs, signal });

/** Reads all pages. Returns their numbers of rows, and the last thing that was found. */
async function readAll(result: OpenResult) {
  const sizes: number[] = [];
  for (let row = 0; ; ) {
    const found = await page(result, row);
    if (found.kind !== 'rows') return { sizes, last: found };
    sizes.push(found.endRow - row);
    row = found.endRow;
    if (found.isLast) return { sizes, last: found };
  }
}

describe('an open result', () => {
  it('has its rows and its end in one page if they are there', async () => {
    const { result } = open({ chunks: rows(3) });
    expect(await readAll(result)).toMatchObject({ sizes: [3], last: { isLast: true } });
    expect(await page(result, 3)).toEqual({ kind: 'end' });
  });

  it('ends without rows', async () => {
    const { result } = open({ chunks: rows(0) });
    expect(await page(result, 0)).toEqual({ kind: 'end' });
  });

  it('has the failure after the rows', async () => {
    const { result } = open({ chunks: failing(2) });
    expect(await readAll(result)).toMatchObject({ sizes: [2], last: { kind: 'failed', problem: FAILURE } });
  });

  it('has rows before the statement ends, and then says that there are none yet', async () => {
    const { result } = open({ chunks: silent(2) });
    expect(await page(result, 0)).toMatchObject({ kind: 'rows', endRow: 2, isLast: false });
    expect(await page(result, 2, 1)).toEqual({ kind: 'waiting' });
    expect(result.isRunning).toBe(true);
  });

  it('takes no more rows than memory holds until they are read', async () => {
    const { result, reader } = open({ chunks: rows(100, PAGE_BYTES / 10) });
    await until(() => (reader.isBehind ? true : undefined), { what: 'a full memory' });
    expect(result.bytes).toBeLessThan(2.2 * PAGE_BYTES);
    const { sizes, last } = await readAll(result);
    expect([sizes.reduce((sum, size) => sum + size, 0), last]).toMatchObject([100, { isLast: true }]);
    expect([reader.isBehind, reader.takenBytes > 10 * PAGE_BYTES]).toEqual([false, true]);
  });

  it('leaves the rest of the rows to the store if that has them', async () => {
    const { result } = open({ chunks: rows(100, PAGE_BYTES / 10), leavesRows: true, isKept: true });
    await until(() => (result.isRunning ? undefined : true), { what: 'the end' });
    expect(result.bytes).toBeLessThan(2.2 * PAGE_BYTES);
    const { sizes, last } = await readAll(result);
    expect(sizes.length).toBeGreaterThan(0);
    expect(last).toEqual({ kind: 'elsewhere' });
    expect(await page(result, 100)).toEqual({ kind: 'end' });
  });

  it('has all rows in memory for a client that reads on, also if the store could have them', async () => {
    const { result } = open({ chunks: rows(100, PAGE_BYTES / 10), leavesRows: true, isKept: true });
    const { sizes, last } = await readAll(result);
    expect([sizes.reduce((sum, size) => sum + size, 0), last]).toMatchObject([100, { isLast: true }]);
    expect(result.bytes).toBeLessThan(2.2 * PAGE_BYTES);
  });

  it('waits for a client that reads slowly for a second in all', async () => {
    const { result } = open({ chunks: rows(400, PAGE_BYTES / 10), leavesRows: true, isKept: true });
    let row = 0;
    do {
      const found = await page(result, row);
      if (found.kind !== 'rows') throw new Error(`no rows after ${row}: ${found.kind}`);
      row = found.endRow;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (result.isRunning);
    expect(result.elapsedMs).toBeGreaterThan(900);
    expect(result.elapsedMs).toBeLessThan(10_000);
    expect(row).toBeLessThan(400);
  });

  it('does not wait for a reader when it is stopped', async () => {
    const seen: { stopped: readonly ProblemError[] } = { stopped: [] };
    async function* stoppable(): AsyncGenerator<RowChunk> {
      for (let row = 0; ; row += 1) {
        if (seen.stopped.length > 0) throw FAILURE;
        yield rowOf(row, PAGE_BYTES / 10);
      }
    }
    const { result, reader, stopped } = open({ chunks: stoppable() });
    seen.stopped = stopped;
    await until(() => (reader.isBehind ? true : undefined), { what: 'a full memory' });
    result.stop(FAILURE);
    await until(() => (result.isRunning ? undefined : true), { what: 'the end' });
    expect(await page(result, 0)).toEqual({ kind: 'failed', problem: FAILURE });
  });

  it('does not have a page that was followed by another', async () => {
    const { result } = open({ chunks: rows(30, PAGE_BYTES / 10) });
    const first = await page(result, 0);
    if (first.kind !== 'rows') throw new Error('no rows');
    await page(result, first.endRow);
    expect(await page(result, 0)).toEqual({ kind: 'elsewhere' });
  });

  it('has no page after the next one, and does not wait for it', async () => {
    const { result } = open({ chunks: silent(2) });
    expect(await page(result, 0)).toMatchObject({ kind: 'rows', endRow: 2 });
    expect(await page(result, 3)).toEqual({ kind: 'elsewhere' });
  });

  it('is of one account', () => {
    const { result } = open({ chunks: rows(0) });
    expect(result.isOf(principal)).toBe(true);
    const others: readonly Principal[] = [
      { ...principal, id: 'bob' },
      { ...principal, kind: 'client' },
      { ...principal, tenant: { ...principal.tenant, id: 'other' } },
    ];
    for (const other of others) expect(result.isOf(other)).toBe(false);
  });

  it('ends the wait of a client that leaves', async () => {
    const { result } = open({ chunks: silent(0) });
    const left = new AbortController();
    const waiting = result.page(0, { waitMs: 60_000, signal: left.signal });
    left.abort(FAILURE);
    await expect(waiting).rejects.toBe(FAILURE);
  });
});
