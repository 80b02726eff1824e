import { describe, expect, it } from '@jest/globals';
import { mergeLiterals } from './row-template.ts';

describe('mergeLiterals', () => {
  it('joins neighbouring literals and drops empty ones, but not cells', () => {
    expect(
      mergeLiterals([
        { literal: '' },
        { literal: '{' },
        { literal: '"a":' },
        { cell: 0 },
        { literal: '' },
        { cell: 1 },
        { literal: '}' },
        { literal: '\n' },
      ]),
    ).toEqual([{ literal: '{"a":' }, { cell: 0 }, { cell: 1 }, { literal: '}\n' }]);
  });

  it('keeps the order and number of cells, and does not change its input', () => {
    const parts = [{ cell: 2 }, { cell: 0 }, { literal: ',' }, { literal: ',' }, { cell: 2 }] as const;
    expect(mergeLiterals(parts)).toEqual([{ cell: 2 }, { cell: 0 }, { literal: ',,' }, { cell: 2 }]);
    expect(parts).toHaveLength(5);
    expect(mergeLiterals([])).toEqual([]);
  });
});
