import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';

const opened: TestDatabase[] = [];
const open = async (create: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const database = await create();
  opened.push(database);
  return database;
};

const ask = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

afterAll(() => Promise.all(opened.map((database) => database.dispose())));

describe('createTestDatabase', () => {
  it('creates isolated databases', async () => {
    const [one, other] = await Promise.all([open(createTestDatabase), open(createTestDatabase)]);
    await ask(one.ownerUrl, 'create table mine (id int)');
    expect(await ask(one.ownerUrl, `select to_regclass('mine') is not null as there`)).toEqual([{ there: true }]);
    expect(await ask(other.ownerUrl, `select to_regclass('mine') is not null as there`)).toEqual([{ there: false }]);
  });

  it('creates the schema without rows, and two serving roles with different privileges', async () => {
    const database = await open(createTestDatabase);
    expect(await ask(database.apiUrl, 'select count(*)::int as rows from tenants')).toEqual([{ rows: 0 }]);
    await expect(ask(database.streamUrl, 'select * from signing_keys')).rejects.toThrow(/permission denied/);
  });

  it('gives the schema to an owner who is not a superuser', async () => {
    const database = await open(createTestDatabase);
    expect(await ask(database.ownerUrl, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
  });

  it('drops a database with open connections', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.apiUrl });
    client.on('error', () => undefined);
    await client.connect();
    await database.dispose();
    await expect(ask(database.apiUrl, 'select 1')).rejects.toThrow(/does not exist/);
    await client.end().catch(() => undefined);
  });
});

describe('createEmptyDatabase', () => {
  it('has no schema', async () => {
    const database = await open(createEmptyDatabase);
    expect(await ask(database.ownerUrl, `select to_regclass('tenants') is null as empty`)).toEqual([{ empty: true }]);
  });
});
