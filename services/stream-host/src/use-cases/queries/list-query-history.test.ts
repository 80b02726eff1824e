import { describe, expect, it } from '@jest/globals';
import { createPageTokens, createValueSeal } from '@sluice/auth';
import { createInProcessState } from '@sluice/shared-state';
import type { HistoryEntry } from '@sluice/store/queries';
import { buildCaller } from '@sluice/testkit';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { createListQueryHistory } from './list-query-history.ts';

const ann = buildCaller('ann');
const HISTORY_MS = 1_000_000;
const NEXT = { startedMicros: '5', queryId: '00000000-0000-4000-8000-000000000001' };

const entry = (change: Partial<HistoryEntry>) =>
  ({
    query_id: 'q',
    action: 'RUN_QUERY',
    target: 'q',
    sql: 'SELECT 1',
    rows: 0,
    limited: false,
    bytes: 0,
    ended_ts: 1,
    ...change,
  }) as HistoryEntry;

function fixture(entries: readonly HistoryEntry[] = []) {
  const running = new RunningQueries();
  const pages: Record<string, unknown>[] = [];
  const list = createListQueryHistory({
    history: {
      page: async (page) => {
        pages.push({ ...page });
        return { entries, next: NEXT } as never;
      },
    },
    pageTokens: createPageTokens(() => createValueSeal({ current: Buffer.alloc(32, 7) })),
    historyMs: HISTORY_MS,
    running,
    shared: { state: createInProcessState() },
  });
  return { running, pages, list };
}

describe('the query history', () => {
  it('shows SQL that the caller wrote only, and what else ran by its id', async () => {
    const { list } = fixture([
      entry({}),
      entry({ action: 'DOWNLOAD_MARKETPLACE', target: 'item' }),
      entry({ action: 'DOWNLOAD_DATAMAP', target: 'map' }),
    ]);
    const { data } = await list(ann, {});
    expect(data.map(({ kind, sql, item_id, datamap_id }) => [kind, sql, item_id, datamap_id])).toEqual([
      ['QUERY', 'SELECT 1', null, null],
      ['MARKETPLACE', null, 'item', null],
      ['DATAMAP', null, null, 'map'],
    ]);
  });

  it('has live counts of a query that runs, and of no other', async () => {
    const { list, running } = fixture([entry({ ended_ts: null }), entry({ query_id: 'ended' })]);
    for (const queryId of ['q', 'ended']) running.add({ queryId, rows: 7, bytes: 70 } as RunningQuery);
    const { data } = await list(ann, {});
    expect(data.map(({ rows, bytes }) => [rows, bytes])).toEqual([
      [7, 70],
      [0, 0],
    ]);
  });

  it('goes back as far as it is kept, or as the caller asks', async () => {
    const { list, pages } = fixture();
    const before = Date.now();
    await list(ann, { since: 1, until: 2, kind: 'DATAMAP', q: 'x' } as never);
    expect(Number(pages[0]?.['sinceMs'])).toBeGreaterThanOrEqual(before - HISTORY_MS);
    expect(pages[0]).toMatchObject({
      tenantId: 't',
      accountId: 'ann',
      untilMs: 2,
      action: 'DOWNLOAD_DATAMAP',
      text: 'x',
    });
    await list(ann, { since: before + 5 });
    expect(pages[1]?.['sinceMs']).toBe(before + 5);
  });

  it('continues with the filters of the first page', async () => {
    const { list, pages } = fixture();
    const { next_page_token: token } = await list(ann, { state: 'FAILED', size: 5 });
    await list(ann, { page_token: token, state: 'FAILED' });
    await list(ann, { page_token: token });
    expect(pages.slice(1)).toMatchObject([
      { state: 'FAILED', after: NEXT },
      { state: 'FAILED', after: NEXT },
    ]);
    const invalid = { code: 'invalid_page_token' };
    await expect(list(ann, { page_token: token, state: 'FINISHED' })).rejects.toMatchObject(invalid);
    await expect(list(ann, { page_token: token, q: 'x' })).rejects.toMatchObject(invalid);
    await expect(list(buildCaller('bob'), { page_token: token })).rejects.toMatchObject(invalid);
  });
});
