import { expect, it } from '@jest/globals';
import { schemaSteps } from './index.ts';
import { isBeforeBaseline, isContracting } from './migration.ts';

it.each([
  ['0010-contract-audit-view', true],
  ['0012-add-contract', false],
  ['contract-0012', false],
])('isContracting of %s is %s', (name, expected) => {
  expect(isContracting(name)).toBe(expected);
});

it.each([
  ['0010-contract-audit-view', true],
  ['0039-single-statements', true],
  ['0040-baseline', false],
  ['9001-more', false],
])('isBeforeBaseline of %s is %s', (name, expected) => {
  expect(isBeforeBaseline(name)).toBe(expected);
});

it('steps have distinct names in ascending order', () => {
  const names = schemaSteps.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const numbers = names.map((name) => Number.parseInt(name, 10));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(names.filter(isBeforeBaseline)).toEqual([]);
});
