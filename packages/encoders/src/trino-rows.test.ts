import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createFormat } from './create-format.ts';
import { storedRows } from './stored-rows.ts';

const format = createFormat({ name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
const COLUMNS = [
  { name: 'a', type: 'integer' },
  { name: 'b', type: 'decimal(3,2)' },
];

describe('the rows of Trino clients', () => {
  it('are those of kept results, each on its own line', () => {
    const { separator, ...row } = format.row(COLUMNS);
    const { separator: _stored, ...stored } = storedRows(COLUMNS);
    expect([separator, row]).toEqual([',\n', stored]);
  });

  it('are the whole body, which cannot express a failure', () => {
    const end = { queryId: 'q', rows: 1, limited: false, elapsedMs: 1 };
    expect([format.head(COLUMNS), format.complete(end)]).toEqual(['', '']);
    expect(format.failed(new ProblemError('data_error', 'boom'), 'q')).toBeUndefined();
    expect(format.failedBody).toBeUndefined();
  });
});
