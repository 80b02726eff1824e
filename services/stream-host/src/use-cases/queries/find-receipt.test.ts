import { describe, expect, it } from '@jest/globals';
import type { Receipt } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { buildCaller } from '@sluice/testkit';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { createFindReceipt } from './find-receipt.ts';

const ann = buildCaller('ann');
const auditor = buildCaller('auditor', ['audit:read']);
const RECEIPT = { query_id: 'q', state: 'RUNNING', rows: 0, bytes: 0, ended_ts: null } as unknown as Receipt;
const WAITING = { queryId: 'w', tenantId: 't', accountKind: 'user', accountId: 'ann', sinceMs: 5 };

/** The query `q` of ann with a receipt, and her query `w` that waits here or on another host. */
function fixture({ receipt = RECEIPT, waitsHere = false } = {}) {
  const running = new RunningQueries();
  const waiting = new WaitingQueries();
  if (waitsHere) waiting.add({ ...WAITING, cancel: () => undefined } as never);
  const find = createFindReceipt({
    queries: {
      find: async (_tenantId, id) =>
        id === 'q' ? ({ accountKind: 'user', accountId: 'ann', receipt } as never) : undefined,
    },
    waiting,
    waitingQueries: { find: async (_tenantId, id) => (id === 'w' && !waitsHere ? (WAITING as never) : undefined) },
    running,
    shared: { state: createInProcessState() },
  });
  return { running, find };
}

describe('a receipt', () => {
  it('of a running query has its live counts', async () => {
    const { running, find } = fixture();
    expect(await find(ann, 'q')).toEqual(RECEIPT);
    running.add({ queryId: 'q', state: 'RUNNING', rows: 7, bytes: 70 } as RunningQuery);
    expect(await find(ann, 'q')).toEqual({ ...RECEIPT, rows: 7, bytes: 70 });
  });

  it('of a query that has ended is the stored one', async () => {
    const receipt: Receipt = { ...RECEIPT, state: 'FINISHED', ended_ts: 9 };
    const { running, find } = fixture({ receipt });
    running.add({ queryId: 'q', state: 'RUNNING', rows: 7, bytes: 70 } as RunningQuery);
    expect(await find(ann, 'q')).toBe(receipt);
  });

  it.each([true, false])('of a waiting query is QUEUED, on this host: %s', async (waitsHere) => {
    const { find } = fixture({ waitsHere });
    expect(await find(ann, 'w')).toMatchObject({ query_id: 'w', state: 'QUEUED', started_ts: 5, ended_ts: null });
  });

  it('of another account is for callers with audit:read, but not while the query waits', async () => {
    const { find } = fixture();
    expect(await find(auditor, 'q')).toEqual(RECEIPT);
    await expect(find(auditor, 'w')).rejects.toMatchObject({ code: 'not_found' });
    for (const id of ['q', 'w', 'unknown'])
      await expect(find(buildCaller('bob'), id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
