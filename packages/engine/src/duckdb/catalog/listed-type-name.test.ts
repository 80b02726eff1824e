import { describe, expect, it } from '@jest/globals';
import { openEmptyDuckDb } from '../../../testing/open-duckdb.ts';
import { LISTED_TYPES, listedTypeName } from './listed-type-name.ts';

const NESTED = ['DECIMAL(18,3)', 'DECIMAL(38, 0)', 'INTEGER[]', 'DECIMAL(4,1)[][]', 'VARCHAR[3]', 'JSON[]'];

describe('the name of a listed type', () => {
  it('is the name that a result has', async () => {
    await using engine = await openEmptyDuckDb();
    const never = new AbortController().signal;
    for (const type of [...Object.keys(LISTED_TYPES), ...NESTED]) {
      const statement = { sql: `SELECT CAST(NULL AS ${type}) AS c`, queryId: 'q', user: 'u', timeZone: 'UTC' };
      const [column] = await engine.describe(statement, never);
      expect([type, listedTypeName(type)]).toEqual([type, column?.type]);
    }
  });

  it.each(["ENUM('INTEGER', 'b')", 'STRUCT(a INTEGER)', 'MAP(VARCHAR, INTEGER)', "ENUM('a')[]", 'toString', 'integer'])(
    'is left to the engine: %s',
    (type) => {
      expect(listedTypeName(type)).toBeUndefined();
    },
  );
});
