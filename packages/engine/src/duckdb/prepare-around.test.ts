import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AbandonedWork, withPlanningLimit } from './planning-limit.ts';
import { preparedAround } from './prepare-around.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run('SET errors_as_json = true');
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const around = (cell: string): string => `SELECT ${cell} FROM (SELECT '2024-01-02'::TIMESTAMP_NS) AS result(c0)`;

describe('preparedAround', () => {
  it.each(['c1', 'no_such_function(c0)', '(c0', 'sum(c0, 1)'])(
    'reports none of our SQL if it is wrong: %s',
    async (cell) => {
      const cause = expect.anything();
      const message = 'The engine failed unexpectedly. The log has the details.';
      const failing = preparedAround(connection.prepare(around(cell)));
      await expect(failing).rejects.toMatchObject({ code: 'internal', message, cause });
    },
  );

  it('passes on what succeeds, and every other failure', async () => {
    (await preparedAround(connection.prepare(around('c0')))).destroySync();
    for (const text of ['Out of Memory Error: failed', 'INTERRUPT Error: Interrupted!', 'IO Error: failed'])
      await expect(preparedAround(Promise.reject(new Error(text)))).rejects.toThrow(text);
    const slow = preparedAround(withPlanningLimit(new Promise<never>(() => undefined), -1));
    await expect(slow).rejects.toBeInstanceOf(AbandonedWork);
  });
});
