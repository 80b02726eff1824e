import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { describableStatement } from './describable-statement.ts';

describe('describableStatement', () => {
  it.each(['SELECT 1', 'WITH t AS (SELECT 1) SELECT * FROM t', '(VALUES 1)', 'TABLE t -- all', 'SELECT "(" FROM t'])(
    'wraps %j so that it returns no rows',
    (sql) => {
      expect(describableStatement(sql).sql).toBe(`SELECT * FROM (\n${sql}\n) LIMIT 0`);
    },
  );

  it.each(['SHOW TABLES', 'DESCRIBE t', 'EXPLAIN SELECT 1', 'SELECT 1) UNION (SELECT 2', 'SELECT (1'])(
    'does not change %j',
    (sql) => {
      const { sql: sent, withCallerLocation } = describableStatement(sql);
      const problem = new ProblemError('syntax_error', 'x', { location: { line: 2, column: 1 } });
      expect([sent, withCallerLocation(problem)]).toEqual([sql, problem]);
    },
  );

  it('rejects EXPLAIN ANALYZE, which would run', () => {
    expect(() => describableStatement('explain /* a */ analyze SELECT 1')).toThrow(
      expect.objectContaining({ code: 'read_only' }),
    );
  });

  it('moves the location of an error to the caller’s own line', () => {
    const { withCallerLocation } = describableStatement('SELECT nope');
    const at = (line: number) => new ProblemError('column_not_found', 'x', { location: { line, column: 8 } });
    expect(withCallerLocation(at(2))).toMatchObject({ location: { line: 1, column: 8 } });
    const outside = at(1);
    expect(withCallerLocation(outside)).toBe(outside);
    expect(withCallerLocation('text')).toBe('text');
  });
});
