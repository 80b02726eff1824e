import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SuperuserRows } from './superuser-rows.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

const PID = 'select pg_backend_pid() as pid';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
}, 120_000);
afterAll(async () => await database?.dispose());

it('runs statements one after the other on one connection, and others at the same time on more', async () => {
  await using superuser = new SuperuserRows(database.superuserUrl);
  const [first] = await superuser.rows(PID);
  expect(await superuser.rows(PID)).toEqual([first]);
  const both = await Promise.all([superuser.rows(PID), superuser.rows(PID)]);
  expect(new Set(both.map(([row]) => JSON.stringify(row))).size).toBe(2);
});

it('opens a new connection when the server has ended the kept one', async () => {
  await using superuser = new SuperuserRows(database.superuserUrl);
  await using other = new SuperuserRows(database.superuserUrl);
  const [kept] = await superuser.rows<{ pid: number }>(PID);
  await other.rows('select pg_terminate_backend($1, 5000)', [kept?.pid]);
  expect(await superuser.rows('select 1 as one')).toEqual([{ one: 1 }]);
});

it('rejects with the error of a statement', async () => {
  await using superuser = new SuperuserRows(database.superuserUrl);
  await superuser.rows(PID);
  await expect(superuser.rows('select * from nowhere')).rejects.toThrow('relation "nowhere" does not exist');
});
