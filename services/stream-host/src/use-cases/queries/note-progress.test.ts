import { expect, it } from '@jest/globals';
import type { RunningQuery } from '../../queries/running-queries.ts';
import { noteProgress } from './note-progress.ts';

it.each([
  [true, 'QUEUED'],
  [false, 'RUNNING'],
] as const)('a statement whose engine reports isQueued %s is %s', (isQueued, state) => {
  const live = { splitsDone: null, splitsTotal: null } as RunningQuery;
  noteProgress(live, { isQueued, splitsDone: 3, splitsTotal: 8 });
  expect(live).toEqual({ state, splitsDone: 3, splitsTotal: 8 });
});
