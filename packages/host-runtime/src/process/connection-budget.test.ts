import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { connectionBudget, connectionWarnings, openFilesMax } from './connection-budget.ts';

it('reads the limit of open files that a child process inherits', () => {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  expect(openFilesMax()).toBe(limit === 'unlimited' ? undefined : Number(limit));
});

it.each([
  [64, 32],
  [1024, 768],
  [undefined, Number.POSITIVE_INFINITY],
])('leaves descriptors for workers and files: of %s, %s are for connections', (filesMax, budget) => {
  expect(connectionBudget(filesMax)).toBe(budget);
});

it('warns about CONNECTIONS_MAX above the limit of descriptors only', () => {
  expect(connectionWarnings(768, 1024)).toEqual([]);
  expect(connectionWarnings(2000, undefined)).toEqual([]);
  expect(connectionWarnings(2000, 1024)).toEqual([
    'CONNECTIONS_MAX is 2000, but this process may open 1024 files, so it holds at most 768 connections. ' +
      'Raise the limit of open files (ulimit -n), or lower CONNECTIONS_MAX.',
  ]);
});
