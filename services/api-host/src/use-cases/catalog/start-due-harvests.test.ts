import { describe, expect, it } from '@jest/globals';
import { createStartDueHarvests } from './start-due-harvests.ts';

const HOUR_MS = 3_600_000;

function fixture(harvestEveryMs: number, requestFails?: Error) {
  const requests: unknown[] = [];
  const queued: string[] = [];
  const startDue = createStartDueHarvests({
    harvestRuns: {
      requestDue: async (input) => {
        requests.push(input);
        if (requestFails !== undefined) throw requestFails;
        return [];
      },
      findWaiting: async () => [
        { tenantId: 't', runId: 'a' },
        { tenantId: 'u', runId: 'b' },
      ],
    },
    enqueue: async ({ runId }) => void queued.push(runId),
    harvestEveryMs,
  });
  return { requests, queued, startDue };
}

describe('harvests that are due', () => {
  it('are those older than 30 s at the start of a host, and later those of the schedule', async () => {
    const { requests, startDue } = fixture(HOUR_MS);
    await startDue();
    await startDue();
    expect(requests).toEqual([
      { reason: 'start', olderThanMs: 30_000 },
      { reason: 'schedule', olderThanMs: HOUR_MS },
    ]);
  });

  it('are never older at the start than on schedule', async () => {
    const { requests, startDue } = fixture(1_000);
    await startDue();
    expect(requests).toEqual([{ reason: 'start', olderThanMs: 1_000 }]);
  });

  it('are queued each time with all others that wait', async () => {
    const { queued, startDue } = fixture(HOUR_MS);
    await startDue();
    await startDue();
    expect(queued).toEqual(['a', 'b', 'a', 'b']);
  });

  it('at the start are requested again if that failed', async () => {
    const { requests, startDue } = fixture(HOUR_MS, new Error('down'));
    for (const _ of [1, 2]) await expect(startDue()).rejects.toThrow('down');
    expect(requests).toMatchObject([{ reason: 'start' }, { reason: 'start' }]);
  });
});
