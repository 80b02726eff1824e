import { describe, expect, it } from '@jest/globals';
import type { ClientCheck } from './client-check.ts';
import { compareChecks, expectedOf, listDifferences } from './compare-checks.ts';

const check = (name: string, value: unknown, ok = true): ClientCheck => ({ check: name, ok, value });
const CHECKS = [check('types', [1, 'a']), check('cancel', 'ignored', false)];
const expected = expectedOf(CHECKS);

describe('the comparison of checks', () => {
  it('accepts equal ones, and failures that Trino has too', () => {
    expect(compareChecks(CHECKS, { expected })).toEqual([]);
  });

  it('reports another value, a failure, a check that did not run, a new one, and a name that is there twice', () => {
    const checks = [check('types', [1, 'b']), check('new', 1), check('new', 1)];
    expect(compareChecks(checks, { expected })).toEqual([
      'new is the name of two checks.',
      'types: {"value":[1,"b"]} instead of {"value":[1,"a"]}.',
      'cancel did not run.',
      'new is not among the expected checks: it gave {"value":1}.',
    ]);
    const failed = [check('types', [1, 'a'], false), check('cancel', 'ignored', false)];
    expect(compareChecks(failed, { expected })).toHaveLength(1);
  });

  it('accepts a listed difference, and reports one that is another or has gone', () => {
    const differences = { types: { why: 'other types', value: [1, 'b'] } };
    const [, cancel = check('', 0)] = CHECKS;
    expect(compareChecks([check('types', [1, 'b']), cancel], { expected, differences })).toEqual([]);
    expect(compareChecks([check('types', [1, 'c']), cancel], { expected, differences })).toEqual([
      'types: {"value":[1,"c"]} instead of the listed {"value":[1,"b"]}.',
    ]);
    expect(compareChecks(CHECKS, { expected, differences })).toEqual([
      'types is listed as different, and no longer is.',
    ]);
    expect(compareChecks(CHECKS, { expected, differences: { absent: { why: 'gone', value: 1 } } })).toEqual([
      'absent is listed as different, and there is no such check.',
    ]);
  });

  it('lists the differences of a run with the reasons that are known', () => {
    const checks = [check('types', [1, 'b']), check('cancel', 'done')];
    const differences = { types: { why: 'other types', value: [1, 'c'] } };
    expect(listDifferences(checks, { expected, differences })).toEqual({
      types: { why: 'other types', value: [1, 'b'] },
      cancel: { why: '', value: 'done' },
    });
  });
});
