import { describe, expect, it } from '@jest/globals';
import { ProblemError } from './problem-error.ts';
import { temporaryFileProblem } from './temporary-file-problem.ts';

describe('temporaryFileProblem', () => {
  it.each([
    ['ENOSPC', -28],
    ['EDQUOT', -122],
    ['ENOENT', -2],
    ['EIO', -5],
  ])('maps %s to storage_unavailable with its cause', (code, errno) => {
    const cause = Object.assign(new Error(`${code}: write`), { code, errno });
    expect(temporaryFileProblem(cause)).toMatchObject({ code: 'storage_unavailable', status: 503, cause });
  });

  it('returns anything else unchanged', () => {
    for (const other of [new ProblemError('resource_limit', 'x'), new TypeError('x'), 'x', null])
      expect(temporaryFileProblem(other)).toBe(other);
  });
});
