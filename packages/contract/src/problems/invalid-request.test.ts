import { expect, it } from '@jest/globals';
import { limitDetails, requireValid } from './invalid-request.ts';
import type { ProblemError } from './problem-error.ts';

const details = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `query.p.a${index}`, message: 'is not declared' }));

const thrownFor = (count: number): ProblemError => {
  try {
    requireValid(limitDetails(details(count)));
  } catch (thrown) {
    return thrown as ProblemError;
  }
  throw new Error('accepted');
};

it('accepts values without problems', () => {
  expect(() => requireValid([])).not.toThrow();
});

it('names the first problem, and lists all', () => {
  const thrown = thrownFor(2);
  expect(thrown).toMatchObject({
    code: 'invalid_request',
    message: 'The request is not valid: query.p.a0: is not declared.',
    details: details(2),
  });
});

it('lists 100 problems at most, and how many more there are', () => {
  expect(thrownFor(100).details).toHaveLength(100);
  expect(thrownFor(103).details?.slice(99)).toEqual([
    { path: 'query.p.a99', message: 'is not declared' },
    { path: 'request', message: 'has 3 more violations' },
  ]);
});
