import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase, until } from '@sluice/testkit';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createDatabase, type Database } from './database.ts';
import type { Scope } from './scope.ts';
import { prepared, type Transaction } from './transaction.ts';

let test: TestDatabase;
let api: Database;
let stream: Database;
let acme: string;
let globex: string;

beforeAll(async () => {
  test = await createTestDatabase();
  api = createDatabase({ url: test.apiUrl, poolMax: 4, queryTimeoutMs: 1000, connectTimeoutMs: 2000 });
  stream = createDatabase({ url: test.streamUrl, poolMax: 2 });
  const tenants = createTenantStore(api);
  acme = (await tenants.create({ name: 'acme' })).id;
  globex = (await tenants.create({ name: 'globex' })).id;
}, 120_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const count = (text: string) => async (transaction: Transaction) =>
  Number((await transaction.query<{ count: string }>(`select count(*) from ${text}`))[0]?.count);
const roles = count('roles');
const countOnce = async (scope: Scope, text: string) =>
  Number((await api.run<{ count: string }>(scope, prepared('count', `select count(*) from ${text}`), []))[0]?.count);
const divide = prepared('divide', 'select 1 / $1::int as quotient');

/** Resolves when a signal aborts, also if it has already: a transaction may begin after the test has opened its gate. */
const untilAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

describe('row-level security', () => {
  it("shows only the tenant's rows, whatever the statement selects", async () => {
    expect(await api.withTenant(acme, roles)).toBe(5);
    expect(await api.withTenant(acme, count(`roles where tenant_id = '${globex}'`))).toBe(0);
    expect(await countOnce({ tenantName: 'globex' }, `roles where tenant_id = '${globex}'`)).toBe(5);
    expect(await countOnce({ tenantId: acme }, `roles where tenant_id = '${globex}'`)).toBe(0);
  });

  it('shows nothing without a tenant, with an unknown one, and outside of a scope', async () => {
    expect(await api.withoutTenant(roles)).toBe(0);
    expect(await countOnce({ tenantName: 'nobody' }, 'roles')).toBe(0);
    expect(await countOnce('no-tenant', 'roles')).toBe(0);
    expect(await api.withTenant(randomUUID(), roles)).toBe(0);
  });

  it('shows all rows to jobs across tenants', async () => {
    expect(await api.acrossTenants(roles)).toBe(10);
    expect(await countOnce('every-tenant', 'roles')).toBe(10);
  });

  it('rejects writing a row into another tenant', async () => {
    const insert = `insert into roles (tenant_id, name) values ('${globex}', 'thief')`;
    await expect(api.withTenant(acme, (transaction) => transaction.query(insert))).rejects.toThrow(
      'row-level security',
    );
  });

  it('rejects a scope that is not a uuid', async () => {
    for (const tenantId of [`x'; drop table roles; --`, '*', '']) {
      await expect(async () => api.withTenant(tenantId, roles)).rejects.toThrow(TypeError);
      await expect(countOnce({ tenantId }, 'roles')).rejects.toThrow(TypeError);
    }
  });

  it('never leaks a scope to the next user of a connection, even after errors', async () => {
    const step = async (index: number) => {
      const [tenant, other] = index % 2 === 0 ? [acme, globex] : [globex, acme];
      if (index % 3 === 0) {
        await api.withTenant(tenant, (transaction) => transaction.query('select 1/0')).catch(() => undefined);
      }
      expect(await api.withTenant(tenant, count(`roles where tenant_id = '${other}'`))).toBe(0);
      expect(await api.withoutTenant(roles)).toBe(0);
      if (index % 3 === 1) await api.run({ tenantId: tenant }, divide, [0]).catch(() => undefined);
      expect(await countOnce({ tenantId: tenant }, `roles where tenant_id = '${other}'`)).toBe(0);
      expect(await countOnce('no-tenant', 'roles')).toBe(0);
    };
    const loops = Array.from({ length: 4 }, async (_unused, first) => {
      for (let index = 0; index < 50; index += 1) await step(first + index);
    });
    await Promise.all(loops);
  });

  it('is on for every table with a tenant', async () => {
    const unprotected = await api.withoutTenant((transaction) =>
      transaction.query(`
        select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and not c.relrowsecurity`),
    );
    expect(unprotected).toEqual([]);
  });

  it('has the tenant first in every unique index of such a table', async () => {
    const others = await api.withoutTenant((transaction) =>
      transaction.query(`
        select i.indexrelid::regclass::text as name from pg_index i
        join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'tenant_id'
        where i.indisunique and i.indkey[0] <> t.attnum and i.indrelid::regclass::text not like 'pg_%'`),
    );
    expect(others).toEqual([]);
  });
});

describe('the serving roles', () => {
  const refused = (database: Database, statement: string) =>
    expect(database.withTenant(acme, (transaction) => transaction.query(statement))).rejects.toThrow(
      'permission denied',
    );

  it('can neither change nor delete an audit record', async () => {
    for (const database of [api, stream]) {
      await refused(database, `update audit_log set user_name = 'x'`);
      await refused(database, 'delete from audit_log');
      await refused(database, 'truncate audit_log');
      await refused(database, 'update audit_log_default set id = id');
    }
  });

  it('can neither create nor drop tables', async () => {
    for (const database of [api, stream]) {
      await refused(database, 'create table thief (id int)');
      await expect(database.withTenant(acme, (transaction) => transaction.query('drop table roles'))).rejects.toThrow(
        'must be owner',
      );
    }
  });

  it('of the stream host can read revoked keys, but no signing key, refresh token or client secret', async () => {
    await refused(stream, 'select kid from signing_keys');
    await refused(stream, 'select 1 from refresh_tokens');
    await refused(stream, 'select secret_hashes from clients');
    await refused(stream, `update users set roles = '{admin}'`);
    await refused(stream, `insert into sessions (tenant_id) values ('${acme}')`);
    expect(await stream.withTenant(acme, count('revoked_keys'))).toBe(0);
  });
});

describe('failures', () => {
  const problem = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (thrown) {
      return Reflect.get(thrown as object, 'code');
    }
    return undefined;
  };

  it('a statement that takes too long is service_unavailable, and the pool stays usable', async () => {
    const slow = api.withoutTenant((transaction) => transaction.query('select pg_sleep(30)'));
    expect(await problem(slow)).toBe('service_unavailable');
    await api.ping();
  });

  it('an exhausted pool is service_unavailable after the time limit', async () => {
    const gate = new AbortController();
    const holders = Array.from({ length: 4 }, () => api.withoutTenant(() => untilAborted(gate.signal)));
    await until(() => (api.connections().used === 4 ? true : undefined), { what: 'the use of all connections' });
    expect(await problem(api.withoutTenant(roles))).toBe('service_unavailable');
    gate.abort();
    await Promise.all(holders);
    await api.withoutTenant(roles);
  });

  it('the checks of a host need no connection of the pool', async () => {
    await using small = createDatabase({ url: test.apiUrl, poolMax: 1, connectTimeoutMs: 60_000 });
    const gate = new AbortController();
    const held = small.withTenant(acme, () => untilAborted(gate.signal));
    await until(() => (small.connections().used === 1 ? true : undefined), { what: 'the use of the connection' });
    const waiting = small.run('no-tenant', prepared('one', 'select 1'), []);
    await small.ping();
    await small.check(prepared('one', 'select 1'));
    expect(small.connections()).toMatchObject({ used: 1, max: 1, waiting: 1 });
    gate.abort();
    await Promise.all([held, waiting]);
  });

  it('statements that only wait for others do not report that the database does not respond', async () => {
    await using small = createDatabase({ url: test.apiUrl, poolMax: 1, connectTimeoutMs: 2000 });
    await small.ping();
    const gate = new AbortController();
    const held = small.withTenant(acme, () => untilAborted(gate.signal));
    await until(() => (small.connections().used === 1 ? true : undefined), { what: 'the use of the connection' });
    const waiting = small.withTenant(acme, roles);
    await small.ping();
    await expect(waiting).rejects.toThrow('more requests than connections');
    gate.abort();
    await held;
  });

  it('many statements of one tenant delay a statement of another by one of theirs', async () => {
    await using small = createDatabase({ url: test.apiUrl, poolMax: 1, connectTimeoutMs: 60_000 });
    const ended: string[] = [];
    const run = async (tenantId: string) => {
      await small.run({ tenantId }, prepared('wait', 'select $1::text, pg_sleep(0.001)'), [tenantId]);
      ended.push(tenantId);
    };
    await Promise.all([...Array.from({ length: 100 }, () => run(acme)), run(globex)]);
    expect(ended.indexOf(globex)).toBeLessThan(3);
  });

  it('connections that the server closes, idle or busy, do not end the process', async () => {
    const killer = createDatabase({ url: test.superuserUrl, poolMax: 1 });
    for (let round = 0; round < 100; round += 1) {
      const busy = problem(api.withoutTenant((transaction) => transaction.query('select pg_sleep(0.02)')));
      await killer.withoutTenant((transaction) =>
        transaction.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sluice_api'
          and datname = current_database()`),
      );
      expect([undefined, 'service_unavailable']).toContain(await busy);
    }
    await killer[Symbol.asyncDispose]();
    await problem(api.ping());
    await api.ping();
  });

  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate in jsonb', JSON.stringify({ a: 'x\ud800' })],
  ])('text with %s is invalid_request', async (_name, text) => {
    const insert = (transaction: Transaction) => transaction.query('select $1::text, $2::jsonb', [text, text]);
    expect(await problem(api.withoutTenant(insert))).toBe('invalid_request');
  });

  it('a transaction that throws leaves nothing behind', async () => {
    const work = api.withTenant(acme, async (transaction) => {
      await transaction.query('delete from roles');
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await api.withTenant(acme, roles)).toBe(5);
  });

  it('commits durably: our code does not turn off synchronous_commit', async () => {
    const [row] = await api.withoutTenant((transaction) =>
      transaction.query<{ source: string }>(`select source from pg_settings where name = 'synchronous_commit'`),
    );
    expect(['default', 'command line', 'configuration file']).toContain(row?.source);
  });
});
