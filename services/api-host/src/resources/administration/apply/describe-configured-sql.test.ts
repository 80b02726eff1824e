import { describe, expect, it } from '@jest/globals';
import { type Configuration, ProblemError } from '@sluice/contract';
import type { ResourceDatabase } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { createInMemoryContent, storedDatamap } from '../../../../tests/administration/in-memory-content.ts';
import { describeConfiguredSql } from './describe-configured-sql.ts';

const ann = buildCaller('ann', ['datamap:write', 'query:run']);
const { signal } = new AbortController();
const DESCRIBED = { columns: [{ name: 'a', type: 'bigint' }], reads: [] };

function fixture(rejected?: ProblemError) {
  const { tx } = createInMemoryContent({ datamaps: [storedDatamap({ id: 'd1' }, {})] });
  const asked: string[] = [];
  const database: Pick<ResourceDatabase, 'read'> = {
    read: (_by, work) => work(tx),
  };
  const context: Parameters<typeof describeConfiguredSql>[0] = {
    database,
    describeSql: async (_caller, { sql, target }) => {
      asked.push(`${target}: ${sql}`);
      if (rejected !== undefined) throw rejected;
      return DESCRIBED as never;
    },
  };
  const prepare = (datamaps: readonly object[]) =>
    describeConfiguredSql(context, ann, { wanted: { datamaps } as unknown as Configuration, signal });
  return { asked, prepare };
}

const statement = (sql: string) => ({ sql, parameters: [], target: 'x', signal });

describe('the SQL of a file', () => {
  it('is described once for each new statement, before anything is applied', async () => {
    const { asked, prepare } = fixture();
    const describeSql = await prepare([
      { name: 'a', sql: 'SELECT 1' },
      { name: 'b', sql: 'SELECT 1' },
      { name: 'c', sql: 'SELECT 2' },
      { name: 'd' },
    ]);
    expect(asked).toEqual(['a: SELECT 1', 'c: SELECT 2']);
    expect(await describeSql(ann, statement('SELECT 2'))).toBe(DESCRIBED);
    expect(asked).toHaveLength(2);
  });

  it('that the engine rejects is rejected for the datamap that has it', async () => {
    const { prepare } = fixture(new ProblemError('invalid_request', 'There is no table x.'));
    const describeSql = await prepare([{ name: 'a', sql: 'SELECT x' }]);
    await expect(describeSql(ann, statement('SELECT x'))).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.sql', message: 'There is no table x.' }],
    });
  });

  it.each(['engine_unavailable', 'access_denied'] as const)(
    'that cannot be described (%s) fails the file',
    async (code) => {
      const { prepare } = fixture(new ProblemError(code, 'no'));
      await expect(prepare([{ name: 'a', sql: 'SELECT 1' }])).rejects.toMatchObject({ code });
    },
  );

  it('that another request has changed meanwhile is a conflict', async () => {
    const { prepare } = fixture();
    const describeSql = await prepare([]);
    await expect(describeSql(ann, statement('SELECT 3'))).rejects.toMatchObject({ code: 'conflict' });
  });
});
