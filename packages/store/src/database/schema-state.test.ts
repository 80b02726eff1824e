import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { schemaSteps } from '../migrations/index.ts';
import { isContracting } from '../migrations/migration.ts';
import { migrate } from '../schema/migrate.ts';
import { createDatabase } from './database.ts';

let test: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  empty = await createEmptyDatabase();
}, 120_000);
afterAll(async () => {
  await test.dispose();
  await empty.dispose();
});

const settings = () => ({ ownerUrl: test.ownerUrl, apiRole: test.apiRole, streamRole: test.streamRole });

const change = async (text: string): Promise<void> => {
  await using owner = createDatabase({ url: test.ownerUrl });
  await owner.withoutTenant((transaction) => transaction.query(text));
};

const ping = async (url: string): Promise<string> => {
  await using database = createDatabase({ url });
  return database.ping().then(
    () => 'ready',
    (thrown: Error) => thrown.message,
  );
};

describe('a serving role', () => {
  it('is ready on the schema of its own version', async () => {
    expect([await ping(test.apiUrl), await ping(test.streamUrl)]).toEqual(['ready', 'ready']);
  });

  it('reports a database that was never migrated', async () => {
    expect(await ping(empty.apiUrl)).toMatch(/older than this version.*0040-baseline is missing.*migrate command/);
  });

  it('reports the step that an older schema lacks', async () => {
    const last = schemaSteps.at(-1)?.name ?? '';
    await change(`update knex_migrations set name = 'kept' where name = '${last}'`);
    expect(await ping(test.apiUrl)).toContain(`${last} is missing`);
    await change(`update knex_migrations set name = '${last}' where name = 'kept'`);
  });

  it('keeps serving when a later version has extended the schema, and its own migration leaves the additions unchanged', async () => {
    await change(`insert into knex_migrations (name, batch) values ('9001-more', 99)`);
    await migrate(settings());
    expect(await ping(test.apiUrl)).toBe('ready');
    await change(`delete from knex_migrations where batch = 99`);
  });

  it('reports a later version that has removed something, and so does its migration', async () => {
    await change(`insert into knex_migrations (name, batch) values ('9002-contract-users', 99)`);
    expect(await ping(test.apiUrl)).toMatch(/newer than this version of Sluice can serve.*9002-contract-users/);
    await expect(migrate(settings())).rejects.toThrow('newer than this version of Sluice can serve');
    await change(`delete from knex_migrations where batch = 99`);
    expect(await ping(test.apiUrl)).toBe('ready');
  });

  it.each(['ownerUrl', 'superuserUrl'] as const)('must be subject to row-level security: not %s', async (role) => {
    expect(await ping(test[role])).toContain('bypasses row-level security');
  });
});

/** Columns that are null or have a constant default: no row is rewritten, and hosts of the previous version do not see them. */
const ADDED_COLUMNS = /alter table \w+( add column \w+ \w+(?:\[\])?( not null default (\d+|true|false|'[^']*'))?,?)+;/g;

/** Body of a function. It runs when the function is called, but `do` runs immediately. */
const FUNCTION_BODY = /(create (?:or replace )?function [^$]*)\$body\$[\s\S]*?\$body\$/g;

/** A restrictive policy on an existing table rejects only what no version does. The step that creates one says so. */
describe('a step of the schema', () => {
  it.each(schemaSteps.map((step) => [step.name, step] as const))('%s only adds', (name, step) => {
    if (isContracting(name)) return;
    const sql = step.sql.replaceAll(FUNCTION_BODY, '$1');
    const made = new Set([...sql.matchAll(/create (?:unlogged )?table (\w+)/g)].map(([, table]) => table));
    const withoutColumns = sql.replaceAll(ADDED_COLUMNS, '');
    expect(sql).not.toMatch(/\b(drop|rename|truncate|lock table|alter column|set not null)\b/i);
    const changed = [
      ...withoutColumns.matchAll(
        /(?:alter table|create (?:unique )?index \w+ on|create policy \w+ on) (\w+)\b(?! as restrictive)/g,
      ),
    ];
    expect(changed.map(([, table]) => table).filter((table) => !made.has(table))).toEqual([]);
  });
});

describe('a database URL', () => {
  it('that names a missing certificate file is rejected on first use, with the path', () => {
    const url = `${test.apiUrl}?sslmode=verify-full&sslrootcert=/nowhere/ca.crt`;
    expect(() => createDatabase({ url })).toThrow('names a file that cannot be read: /nowhere/ca.crt (ENOENT)');
  });

  it('that requires TLS of a server without it is reported', async () => {
    expect(await ping(`${test.apiUrl}?sslmode=verify-full`)).toContain('does not accept TLS connections');
  });

  it('with a wrong password is reported', async () => {
    expect(await ping(test.apiUrl.replace(/:[^:@]+@/, ':wrong@'))).toContain('rejects the login');
  });

  it.each([
    ['with a wrong password', (url: string) => url.replace(/:[^:@]+@/, ':wrong@')],
    ['that requires TLS of a server without it', (url: string) => `${url}?sslmode=verify-full`],
  ])(
    '%s is reported to operators only: the problem of a statement, which callers read, only says that the database does not respond',
    async (_, of) => {
      await using database = createDatabase({ url: of(test.apiUrl) });
      const statement = database.withoutTenant((transaction) => transaction.query('select 1'));
      await expect(statement).rejects.toMatchObject({
        code: 'service_unavailable',
        message: 'The database does not respond. Try again in a moment.',
        cause: expect.anything(),
      });
    },
  );
});
