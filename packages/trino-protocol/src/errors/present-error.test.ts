import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS, STATEMENT_PROBLEMS } from '@sluice/contract';
import { parseMarkdownTables } from '@sluice/testkit';
import { TrinoError } from '../trino-error.ts';
import { presentError, presentTrinoError } from './present-error.ts';
import { PROBLEM_ERRORS } from './problem-errors.ts';
import { STANDARD_ERRORS } from './standard-errors.ts';

const page = await readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

describe('the errors of Trino clients', () => {
  it('are those that docs/errors.md lists for the problems of statements', () => {
    const [, listed] = parseMarkdownTables(page);
    const expected = STATEMENT_PROBLEMS.map((code) => {
      const { errorName, errorCode, errorType } = presentError({ code: code.toUpperCase(), message: 'm' });
      return {
        'Stream code': `\`${code.toUpperCase()}\``,
        Name: `\`${errorName}\``,
        Number: String(errorCode),
        Type: `\`${errorType}\``,
      };
    });
    expect(listed).toEqual(expected);
  });

  it('have a name for every problem, and each name a number', () => {
    expect(Object.keys(PROBLEM_ERRORS).sort()).toEqual(Object.keys(PROBLEMS).sort());
    for (const name of Object.values(PROBLEM_ERRORS))
      expect([name, STANDARD_ERRORS[name]]).toEqual([name, expect.any(Number)]);
  });

  it('are not retried by clients unless the same statement may succeed later', () => {
    for (const code of STATEMENT_PROBLEMS) {
      const { errorType } = presentError({ code: code.toUpperCase(), message: 'm' });
      if (PROBLEMS[code].retryable) expect([code, errorType]).not.toEqual([code, 'USER_ERROR']);
    }
  });

  it('have a location, which their message begins with, and no stack', () => {
    expect(presentError({ code: 'SYNTAX_ERROR', message: 'no', location: { line: 2, column: 7 } })).toEqual({
      ...{ message: 'line 2:7: no', errorCode: 1, errorName: 'SYNTAX_ERROR', errorType: 'USER_ERROR' },
      errorLocation: { lineNumber: 2, columnNumber: 7 },
      failureInfo: {
        ...{ type: 'io.sluice.SYNTAX_ERROR', message: 'line 2:7: no', suppressed: [], stack: [] },
        errorLocation: { lineNumber: 2, columnNumber: 7 },
      },
    });
  });

  it('keep the name and number of the engine', () => {
    const engineError = { name: 'DIVISION_BY_ZERO', code: 8, type: 'USER_ERROR' };
    expect(presentError({ code: 'DATA_ERROR', message: 'no', engineError })).toMatchObject({
      ...{ errorName: 'DIVISION_BY_ZERO', errorCode: 8, errorType: 'USER_ERROR' },
    });
  });

  it('are internal for a code of another version', () => {
    expect(presentError({ code: 'TO_STRING', message: 'no' })).toMatchObject({ errorName: 'GENERIC_INTERNAL_ERROR' });
  });

  it('have the name of a statement that is refused before it runs, if its number is known', () => {
    expect(presentTrinoError(new TrinoError('NOT_FOUND', 'no'))).toMatchObject({
      errorName: 'NOT_FOUND',
      errorCode: 5,
    });
    expect(presentTrinoError(new TrinoError('NEVER_HEARD', 'no'))).toMatchObject({
      ...{ errorName: 'GENERIC_USER_ERROR', errorCode: 0 },
    });
  });
});
