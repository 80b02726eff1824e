import { expect, it } from '@jest/globals';
import type { QueryStore } from '@sluice/store/queries';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { createStopDueQueries } from './stop-due-queries.ts';

function fixture(due: Awaited<ReturnType<QueryStore['stopsDue']>>) {
  const stopped: string[] = [];
  const asked: string[] = [];
  const running = new RunningQueries();
  const queries = {
    async stopsDue(hostId: string) {
      asked.push(hostId);
      return due;
    },
  };
  const add = (queryId: string, address = '192.0.2.1') =>
    running.add({
      queryId,
      address,
      stop: ({ code, message }) => void stopped.push(`${queryId}: ${code}: ${message}`),
    } as RunningQuery);
  return { stopped, asked, add, stopDue: createStopDueQueries({ hostId: 'host', queries, running }) };
}

it('stops the due queries of this process, each with its reason', async () => {
  const { stopped, asked, add, stopDue } = fixture([
    { queryId: 'a', reason: 'cancelled' },
    { queryId: 'of another process', reason: 'cancelled' },
    { queryId: 'c', reason: 'logged_out' },
  ]);
  for (const id of ['a', 'b', 'c']) add(id);
  await stopDue();
  expect(asked).toEqual(['host']);
  expect(stopped).toEqual([
    'a: query_cancelled: The query was cancelled by its caller.',
    'c: query_cancelled: The query was stopped because its session ended.',
  ]);
});

it('stops the queries of a service account whose networks exclude their address', async () => {
  const networks = ['203.0.113.0/24'];
  const { stopped, add, stopDue } = fixture([
    { queryId: 'inside', reason: 'networks', networks },
    { queryId: 'outside', reason: 'networks', networks },
    { queryId: 'of another process', reason: 'networks', networks },
  ]);
  add('inside', '203.0.113.9');
  add('outside', '198.51.100.9');
  await stopDue();
  expect(stopped).toEqual([
    'outside: query_cancelled: The query was stopped because its service account may no longer send requests from its address.',
  ]);
});

it('asks nothing while no query runs', async () => {
  const { asked, stopDue } = fixture([]);
  await stopDue();
  expect(asked).toEqual([]);
});
