import { describe, expect, it } from '@jest/globals';
import { createInProcessState } from '@sluice/shared-state';
import { buildCaller } from '@sluice/testkit';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { createListQueries } from './list-queries.ts';

const row = (queryId: string, sinceMs: number, accountId = 'ann') => ({
  queryId,
  tenantId: 't',
  accountKind: 'user',
  accountId,
  sql: `SELECT '${queryId}'`,
  sinceMs,
});
const stored = (query_id: string, started_ts: number) => ({
  query_id,
  sql: `SELECT '${query_id}'`,
  state: 'RUNNING',
  started_ts,
  rows: 0,
  bytes: 0,
});

describe('the open queries of a caller', () => {
  it('run or wait on any host, oldest first, each once, and with live counts', async () => {
    const waiting = new WaitingQueries();
    for (const own of [row('waits', 4), row('acquired', 2), row('of bob', 1, 'bob')])
      waiting.add({ ...own, cancel: () => undefined } as never);
    const running = new RunningQueries();
    running.add({ queryId: 'runs', state: 'QUEUED', rows: 7, bytes: 70 } as RunningQuery);
    const list = createListQueries({
      queries: { listRunning: async () => [stored('runs', 3), stored('acquired', 2)] as never },
      waiting,
      waitingQueries: { list: async () => [row('elsewhere', 1), row('waits', 4)] as never },
      running,
      shared: { state: createInProcessState() },
    });
    const { data } = await list(buildCaller('ann'));
    expect(data.map(({ query_id, state, rows }) => [query_id, state, rows])).toEqual([
      ['elsewhere', 'QUEUED', 0],
      ['acquired', 'RUNNING', 0],
      ['runs', 'QUEUED', 7],
      ['waits', 'QUEUED', 0],
    ]);
  });
});
