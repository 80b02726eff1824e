import { describe, expect, it } from '@jest/globals';
import { formatTableName } from '@sluice/contract';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { tableBeginning } from './table-beginning.ts';

const part = fc.string({
  minLength: 1,
  maxLength: 6,
  unit: fc.constantFrom('"', '.', ' ', 'a', 'b', '%', '_', 'é', '🦆'),
});

describe('tableBeginning', () => {
  it('includes every table whose written name begins with the prefix', () => {
    fc.assert(
      fc.property(part, part, part, fc.nat(40), (catalog, schema, name, length) => {
        const prefix = formatTableName({ catalog, schema, name }).slice(0, length);
        const beginning = tableBeginning(prefix);
        if (beginning === undefined) throw new Error(`no table for ${prefix}`);
        const names = [catalog, schema, name];
        const { parents } = beginning;
        expect(parents).toEqual(names.slice(0, parents.length));
        expect(names[parents.length]?.startsWith(beginning.beginning)).toBe(true);
      }),
      { numRuns: shortOrLong(300, 2_000) },
    );
  });

  it.each([
    ['', [], ''],
    ['de', [], 'de'],
    ['demo.', ['demo'], ''],
    ['demo.vega.fl', ['demo', 'vega'], 'fl'],
    ['demo."odd.sch', ['demo'], 'odd.sch'],
    ['demo."say ""hi', ['demo'], 'say "hi'],
    ['demo."odd.schema"', ['demo'], 'odd.schema'],
    ['demo."odd.schema".', ['demo', 'odd.schema'], ''],
    ['100%_', [], '100%_'],
  ])('reads %j', (prefix, parents, beginning) => {
    expect(tableBeginning(prefix)).toEqual({ parents, beginning });
  });

  it.each(['a.b.c.', 'a.b.c.d', 'a"b', 'demo."a"b'])('returns undefined for %j', (prefix) => {
    expect(tableBeginning(prefix)).toBeUndefined();
  });

  it('reads a long prefix without backtracking', () => {
    expect(tableBeginning('"'.repeat(4095))?.beginning).toHaveLength(2047);
    expect(tableBeginning('a.'.repeat(2000))).toBeUndefined();
  });
});
