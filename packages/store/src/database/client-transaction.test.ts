import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from './database.ts';
import type { Transaction } from './transaction.ts';

let test: TestDatabase;
/** Has one connection, so that each transaction sees what the previous one left behind. */
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase({ url: test.apiUrl, poolMax: 1 });
}, 120_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await test.dispose();
});

const DIVIDE = 'select 6 / $1::int as quotient';
const LENGTH = 'select cardinality($1::int[]) as length';
const plans = (transaction: Transaction) =>
  transaction.query<{ statement: string }>('select statement from pg_prepared_statements order by prepare_time');
const planned = async (transaction: Transaction) => (await plans(transaction)).map(({ statement }) => statement);
const divideOften = async (transaction: Transaction) => {
  const quotients = [];
  for (const divisor of [1, 2, 3, 6, 1]) quotients.push((await transaction.query(DIVIDE, [divisor]))[0]?.['quotient']);
  return quotients;
};

describe('a statement that a transaction repeats', () => {
  it('is planned once from the third run on, and returns the same results', async () => {
    await database.withoutTenant(async (transaction) => {
      await transaction.query(DIVIDE, [1]);
      await transaction.query(DIVIDE, [2]);
      expect(await planned(transaction)).toEqual([]);
      expect(await divideOften(transaction)).toEqual([6, 3, 2, 1, 6]);
      expect(await planned(transaction)).toEqual([DIVIDE]);
    });
  });

  it('leaves no plan to the next transaction of its connection, whether it commits, throws or fails', async () => {
    const ends = [
      () => undefined,
      () => {
        throw new Error('changed my mind');
      },
      (transaction: Transaction) => transaction.query(DIVIDE, [0]),
    ];
    for (const end of ends) {
      const work = database.withoutTenant(async (transaction) => {
        await divideOften(transaction);
        await end(transaction);
      });
      await work.catch(() => undefined);
      expect(await database.withoutTenant(planned)).toEqual([]);
    }
  });

  it('is planned for its actual values when they contain a long array', async () => {
    await database.withoutTenant(async (transaction) => {
      const long = Array.from({ length: 11 }, (_, index) => index);
      for (let times = 0; times < 4; times += 1) {
        expect(await transaction.query(LENGTH, [long])).toEqual([{ length: 11 }]);
      }
      expect(await planned(transaction)).toEqual([]);
      for (let times = 0; times < 3; times += 1) await transaction.query(LENGTH, [[1, 2]]);
      expect(await transaction.query(LENGTH, [long])).toEqual([{ length: 11 }]);
      expect(await planned(transaction)).toEqual([LENGTH]);
    });
  });
});
