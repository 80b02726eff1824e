import { expect, it } from '@jest/globals';
import { readCases } from './cases.ts';

it.each([
  [{}, 'short'],
  [{ SLUICE_CASES: 'some' }, 'short'],
  [{ SLUICE_CASES: 'all' }, 'all'],
  [{ SLUICE_SOAK: '1' }, 'random'],
  [{ SLUICE_CASES: 'all', SLUICE_SOAK: '1' }, 'random'],
] as const)('%j selects the cases: %s', (environment, cases) => {
  expect(readCases(environment)).toBe(cases);
});
