import { describe, expect, it } from '@jest/globals';
import { presentPage } from './query-results.ts';
import { presentStats, type StatementProgress } from './statement-stats.ts';

const CAPABLE = { parametricDatetime: true, number: true };
const PROGRESS: StatementProgress = {
  ...{ state: 'RUNNING', rows: 3, bytes: 40, elapsedMs: 12.6 },
  ...{ splitsDone: null, splitsTotal: null },
};
const RESULTS = {
  ...{ id: 'q', infoUri: 'https://i', nextUri: 'https://n' },
  columns: [{ name: 'n', type: 'bigint' }],
  stats: presentStats(PROGRESS),
};
const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();

describe('a page', () => {
  it('has the rows as they are', () => {
    const rows = [Buffer.from('[9223372036854775807],\n'), Buffer.from('["]}"]')];
    const pieces = presentPage(RESULTS, rows, CAPABLE);
    expect(pieces.slice(1, -1)).toEqual(rows);
    expect(textOf(pieces)).toContain('"data":[[9223372036854775807],\n["]}"]],"stats":{');
    expect(JSON.parse(textOf(pieces))).toMatchObject({ data: [[expect.any(Number)], [']}']] });
  });

  it('has no data without rows, no columns before they are known, and no address after the end', () => {
    const page = JSON.parse(
      textOf(presentPage({ ...RESULTS, nextUri: undefined, columns: undefined }, [], CAPABLE)),
    ) as object;
    expect(Object.keys(page)).toEqual(['id', 'infoUri', 'stats', 'warnings']);
  });

  it('has what a statement without rows changes', () => {
    const page = JSON.parse(textOf(presentPage({ ...RESULTS, columns: [], updateType: 'USE' }, [], CAPABLE)));
    expect(page).toMatchObject({ columns: [], updateType: 'USE', warnings: [] });
  });
});

describe('the statistics of a page', () => {
  it('have every number that drivers require', () => {
    const stats = presentStats(PROGRESS);
    const { state, queued, scheduled, ...numbers } = stats;
    expect([state, queued, scheduled]).toEqual(['RUNNING', false, true]);
    expect(Object.values(numbers).every((value) => typeof value === 'number')).toBe(true);
    expect(stats).toMatchObject({ processedRows: 3, processedBytes: 40, elapsedTimeMillis: 13, nodes: 1 });
    expect(stats).not.toHaveProperty('progressPercentage');
  });

  it('have the progress of an engine that reports it', () => {
    expect(presentStats({ ...PROGRESS, splitsDone: 1, splitsTotal: 4 })).toMatchObject({
      ...{ totalSplits: 4, completedSplits: 1, runningSplits: 3, queuedSplits: 0, progressPercentage: 25 },
    });
    expect(presentStats({ ...PROGRESS, state: 'FINISHED' }).progressPercentage).toBe(100);
    expect(presentStats({ ...PROGRESS, state: 'FINISHED', splitsDone: 4, splitsTotal: 4 })).toMatchObject({
      ...{ nodes: 1, totalSplits: 4, completedSplits: 4, runningSplits: 0 },
    });
    expect(presentStats({ ...PROGRESS, state: 'QUEUED' })).toMatchObject({ queued: true, scheduled: false, nodes: 0 });
  });

  it.each([
    ['QUEUED', { nodes: 0, totalSplits: 0, runningSplits: 0, completedSplits: 0 }],
    ['RUNNING', { nodes: 1, totalSplits: 1, runningSplits: 1, completedSplits: 0 }],
    ['FAILED', { nodes: 1, totalSplits: 1, runningSplits: 0, completedSplits: 0 }],
    ['FINISHED', { nodes: 1, totalSplits: 1, runningSplits: 0, completedSplits: 1 }],
  ] as const)('have one split if the engine reports none: %s', (state, expected) => {
    const stats = presentStats({ ...PROGRESS, state, splitsDone: null, splitsTotal: null });
    expect(stats).toMatchObject(expected);
    expect(stats.progressPercentage).toBe(state === 'FINISHED' ? 100 : undefined);
  });
});
