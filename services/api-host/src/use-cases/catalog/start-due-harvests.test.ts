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

  it('are those of the tenant whose views of files have changed, as soon as none is open', async () => {
    const requests: unknown[] = [];
    const created = [{ tenantId: 't', runId: 'a' }];
    let revision = '1';
    let isOpen = false;
    const startDue = createStartDueHarvests({
      harvestRuns: {
        async requestDue({ reason, tenantName }) {
          requests.push(tenantName ?? reason);
          return (reason === 'start' || tenantName !== undefined) && !isOpen ? created : [];
        },
        findWaiting: async () => [],
      },
      enqueue: async () => undefined,
      harvestEveryMs: HOUR_MS,
      files: { tenantName: 'acme', revision: () => revision },
    });
    await startDue();
    await startDue();
    [revision, isOpen] = ['2', true];
    await startDue();
    isOpen = false;
    await startDue();
    await startDue();
    expect(requests).toEqual(['start', 'schedule', 'schedule', 'acme', 'schedule', 'acme', 'schedule']);
  });
});
