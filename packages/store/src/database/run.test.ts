import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createDatabase, type Database } from './database.ts';
import { prepared } from './transaction.ts';

let test: TestDatabase;
let killer: Database;
let acme: string;

/** Opens a pool of one connection, so that each statement sees what the previous one left behind. */
const open = () => createDatabase({ url: test.apiUrl, poolMax: 1, queryTimeoutMs: 1000 });

beforeAll(async () => {
  test = await createTestDatabase();
  killer = createDatabase({ url: test.superuserUrl, poolMax: 1 });
  await using database = open();
  acme = (await createTenantStore(database).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await killer[Symbol.asyncDispose]();
  await test.dispose();
});

const SCOPE = prepared('scope', `select current_setting('sluice.tenant_id', true) as scope`);
const DIVIDE = prepared('divide', 'select 1 / $1::int as quotient');
const TYPES = prepared('types', 'select $1::text as text, $2::text[] as texts, $3::bytea as bytes, $4::int as none');
const SLEEP = prepared('sleep', 'select pg_sleep($1::float8)');
const PID = prepared('pid', 'select pg_backend_pid() as pid');
const RENAME = prepared('rename', `insert into roles (tenant_id, name) values ($1, $2) returning name`);
const COUNT = prepared('count_roles', 'select count(*)::int as count from roles where name = $1');

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (thrown) {
    return Reflect.get(thrown as object, 'code');
  }
  return undefined;
};

const pidOf = async (database: Database) => (await database.run<{ pid: number }>('no-tenant', PID, []))[0]?.pid;

describe('a statement in one round trip', () => {
  it('runs within its scope, which does not outlive it, with and without parameters, first and later', async () => {
    await using database = open();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await database.run({ tenantId: acme }, SCOPE, [])).toEqual([{ scope: acme }]);
      expect(await database.run({ tenantName: 'acme' }, SCOPE, [])).toEqual([{ scope: acme }]);
      expect(await database.run({ tenantName: `nobody' or true --` }, SCOPE, [])).toEqual([{ scope: '' }]);
      const outside = await database.withoutTenant((transaction) => transaction.query(SCOPE.text));
      expect(outside).toEqual([{ scope: '' }]);
    }
  });

  it('accepts and returns the same values as a transaction', async () => {
    await using database = open();
    const values = [`a'b`, ['c', 'd"e', ''], Buffer.from([0, 255]), null];
    const once = await database.run('no-tenant', TYPES, values);
    expect(once).toEqual([{ text: `a'b`, texts: ['c', 'd"e', ''], bytes: Buffer.from([0, 255]), none: null }]);
    expect(once).toEqual(await database.withoutTenant((transaction) => transaction.query(TYPES.text, values)));
  });

  it('is committed when it resolves, and leaves nothing behind when it fails', async () => {
    await using database = open();
    expect(await database.run({ tenantId: acme }, RENAME, [acme, 'kept'])).toEqual([{ name: 'kept' }]);
    expect(await codeOf(database.run({ tenantId: acme }, RENAME, [acme, 'kept']))).toBe('23505');
    expect(await database.run({ tenantId: acme }, COUNT, ['kept'])).toEqual([{ count: 1 }]);
  });

  it('fails alone: the connection serves the next statement, also when the first run failed', async () => {
    await using database = open();
    const pid = await pidOf(database);
    const missing = prepared('missing', 'select * from no_such_table');
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await codeOf(database.run({ tenantId: acme }, DIVIDE, [0]))).toBe('22012');
      expect(await codeOf(database.run({ tenantId: acme }, missing, []))).toBe('42P01');
      expect(await codeOf(database.run({ tenantId: acme }, DIVIDE, ['x']))).toBe('invalid_request');
      expect(await codeOf(database.run({ tenantName: 'a\0b' }, DIVIDE, [1]))).toBe('invalid_request');
      expect(await database.run({ tenantId: acme }, DIVIDE, [1])).toEqual([{ quotient: 1 }]);
    }
    expect(await pidOf(database)).toBe(pid);
  });

  it('that takes too long is service_unavailable, and the next one is served', async () => {
    await using database = open();
    expect(await codeOf(database.run('no-tenant', SLEEP, [30]))).toBe('service_unavailable');
    expect(await database.run('no-tenant', DIVIDE, [1])).toEqual([{ quotient: 1 }]);
  });

  it('whose connection is closed is service_unavailable, and the next one is served', async () => {
    await using database = open();
    const pid = await pidOf(database);
    const slow = codeOf(database.run('no-tenant', SLEEP, [0.5]));
    await killer.withoutTenant((transaction) => transaction.query('select pg_terminate_backend($1)', [pid]));
    expect(await slow).toBe('service_unavailable');
    expect(await database.run('no-tenant', DIVIDE, [1])).toEqual([{ quotient: 1 }]);
  });

  it('is planned again when a pooler has switched to a server connection without its plan', async () => {
    await using database = open();
    const forget = () => database.withoutTenant((transaction) => transaction.query('deallocate all'));
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await database.run({ tenantId: acme }, SCOPE, [])).toEqual([{ scope: acme }]);
      await forget();
    }
    expect(await database.run({ tenantId: acme }, RENAME, [acme, 'once'])).toEqual([{ name: 'once' }]);
  });

  it('is planned again for many statements at once', async () => {
    await using database = createDatabase({ url: test.apiUrl, poolMax: 4 });
    const all = (text: string) =>
      Promise.all(Array.from({ length: 4 }, () => database.run('no-tenant', SLEEP, [text])));
    await all('0.05');
    const forget = () =>
      database.withoutTenant(async (transaction) => {
        await transaction.query('deallocate all');
        await transaction.query('select pg_sleep(0.05)');
      });
    await Promise.all(Array.from({ length: 4 }, forget));
    expect(await all('0.05')).toHaveLength(4);
  });

  it('is planned again when that server connection already has a plan of that name', async () => {
    await using database = open();
    await database.withoutTenant((transaction) => transaction.query(`prepare ${SCOPE.name} as select 'another'`));
    expect(await database.run({ tenantId: acme }, SCOPE, [])).toEqual([{ scope: acme }]);
  });

  it('has the same name only for the same SQL', () => {
    expect(prepared('a', 'select 1').name).toBe(prepared('a', 'select 1').name);
    expect(prepared('a', 'select 1').name).not.toBe(prepared('a', 'select 2').name);
  });
});
