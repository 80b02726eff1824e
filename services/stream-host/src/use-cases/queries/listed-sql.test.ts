import { describe, expect, it } from '@jest/globals';
import { LISTED_SQL_CHARACTERS_MAX } from '@sluice/contract';
import { listedSql } from './listed-sql.ts';

describe('listedSql', () => {
  it('returns SQL up to the limit as it is', () => {
    const sql = 'x'.repeat(LISTED_SQL_CHARACTERS_MAX);
    expect(listedSql(sql)).toEqual({ sql });
  });

  it('truncates longer SQL between two characters, and says so', () => {
    const start = 'x'.repeat(LISTED_SQL_CHARACTERS_MAX - 1);
    expect(listedSql(`${start}xx`)).toEqual({ sql: `${start}x`, sql_truncated: true });
    expect(listedSql(`${start}😀x`)).toEqual({ sql: start, sql_truncated: true });
  });
});
