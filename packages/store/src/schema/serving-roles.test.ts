import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import pg from 'pg';
import { createDatabase } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';

let test: TestDatabase;
let acme: string;
let globex: string;
const clients: Record<'api' | 'stream' | 'superuser', pg.Client> = {} as never;

beforeAll(async () => {
  test = await createTestDatabase();
  await using api = createDatabase({ url: test.apiUrl });
  acme = (await createTenantStore(api).create({ name: 'acme' })).id;
  globex = (await createTenantStore(api).create({ name: 'globex' })).id;
  for (const [name, url] of [
    ['api', test.apiUrl],
    ['stream', test.streamUrl],
    ['superuser', test.superuserUrl],
  ] as const) {
    clients[name] = new pg.Client({ connectionString: url });
    await clients[name].connect();
  }
}, 120_000);
afterAll(async () => {
  for (const client of Object.values(clients)) await client.end();
  await test.dispose();
});

type Role = keyof typeof clients;

/** Runs one statement in a transaction of a tenant, `*` or none. Returns the number of rows, or the code of the error. */
async function run(role: Role, scope: string, text: string, values: unknown[] = []): Promise<number | string> {
  const client = clients[role];
  await client.query('begin');
  try {
    await client.query(`select set_config('sluice.tenant_id', $1, true)`, [scope]);
    const { rowCount } = await client.query(text, values);
    await client.query('commit');
    return rowCount ?? 0;
  } catch (thrown) {
    await client.query('rollback');
    return (thrown as pg.DatabaseError).code ?? String(thrown);
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const BOTH = ['api', 'stream'] as const;

/** Inserts a query of acme as a superuser, and returns its id. */
async function seedQuery(state: string): Promise<string> {
  const queryId = randomUUID();
  const ended = ['QUEUED', 'RUNNING'].includes(state) ? null : new Date();
  await clients.superuser.query(
    `insert into queries (tenant_id, query_id, account_kind, account_id, user_name, host_id, sql, state, rows, bytes, sha256, ended, audit_id)
     values ($1, $2, 'user', $3, 'ann@example.com', $3, 'select 1', $4, 7, 70, 'aa', $5, $3)`,
    [acme, queryId, randomUUID(), state, ended],
  );
  return queryId;
}

const receiptOf = async (queryId: string) =>
  (
    await clients.superuser.query('select state, rows::int, bytes::int, sha256 from queries where query_id = $1', [
      queryId,
    ])
  ).rows[0];

describe('receipts', () => {
  const changes = [
    `rows = 1`,
    `bytes = 1`,
    `sha256 = 'bb'`,
    `limited = true`,
    `error = '{}'`,
    `ended = null`,
    `ended = now() + interval '1 day'`,
    `state = 'RUNNING', ended = null`,
    `state = 'FINISHED', rows = 8`,
    `cancel_requested = true`,
  ];

  it.each(changes)('that are finished are not changed by %s', async (change) => {
    for (const role of BOTH) {
      for (const state of ['FINISHED', 'FAILED', 'CANCELLED', 'UNKNOWN']) {
        const queryId = await seedQuery(state);
        const before = await receiptOf(queryId);
        for (const scope of [acme, '*']) {
          expect(await run(role, scope, `update queries set ${change} where query_id = $1`, [queryId])).toBe(
            INSUFFICIENT_PRIVILEGE,
          );
        }
        expect(await receiptOf(queryId)).toEqual(before);
      }
    }
  });

  it('in the state FINISHED may change to a failure once, and no other receipt may change', async () => {
    const fail = `update queries set state = 'FAILED', sha256 = null, ended = now() where query_id = $1`;
    const queryId = await seedQuery('FINISHED');
    expect(await run('stream', acme, fail, [queryId])).toBe(1);
    expect(await run('stream', acme, fail, [queryId])).toBe(INSUFFICIENT_PRIVILEGE);
    for (const state of ['CANCELLED', 'UNKNOWN']) {
      expect(await run('stream', acme, fail, [await seedQuery(state)])).toBe(INSUFFICIENT_PRIVILEGE);
    }
  });

  it('of open queries may change, except for user, time, SQL and host', async () => {
    const finish = `update queries set state = 'FINISHED', rows = 1, bytes = 2, sha256 = 'cc', ended = now() where query_id = $1`;
    for (const column of ['tenant_id', 'query_id', 'account_id', 'host_id', 'audit_id', 'session_id']) {
      const text = `update queries set ${column} = gen_random_uuid()`;
      for (const role of BOTH) expect(await run(role, acme, text)).toBe(INSUFFICIENT_PRIVILEGE);
    }
    for (const column of ['sql', 'statement_bytes', 'user_name', 'account_kind', 'secret_id', 'started']) {
      for (const role of BOTH)
        expect(await run(role, acme, `update queries set ${column} = null`)).toBe(INSUFFICIENT_PRIVILEGE);
    }
    expect(await run('stream', acme, finish, [await seedQuery('RUNNING')])).toBe(1);
  });

  it('of other tenants cannot be changed, and across tenants only become UNKNOWN', async () => {
    const queryId = await seedQuery('RUNNING');
    const close = (state: string) =>
      `update queries set state = '${state}', ended = now() where query_id = '${queryId}'`;
    for (const role of BOTH) {
      expect(await run(role, globex, close('FINISHED'))).toBe(0);
      expect(await run(role, '', close('FINISHED'))).toBe(0);
      expect(await run(role, '*', close('FINISHED'))).toBe(INSUFFICIENT_PRIVILEGE);
    }
    expect(await run('api', '*', close('UNKNOWN'))).toBe(1);
  });

  it("are inserted only by the stream host in its transaction's tenant, and are never removed", async () => {
    const insert = `insert into queries (tenant_id, query_id, account_kind, account_id, user_name, host_id, sql, state, audit_id)
      select $1, gen_random_uuid(), 'user', gen_random_uuid(), 'x', gen_random_uuid(), 'select 1', 'RUNNING', gen_random_uuid()`;
    expect(await run('stream', acme, insert, [acme])).toBe(1);
    for (const scope of [globex, '*', ''])
      expect(await run('stream', scope, insert, [acme])).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await run('api', acme, insert, [acme])).toBe(INSUFFICIENT_PRIVILEGE);
    for (const role of BOTH) expect(await run(role, acme, 'delete from queries')).toBe(INSUFFICIENT_PRIVILEGE);
  });
});

describe('audit records', () => {
  const insert = `insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target)
    values ($1, gen_random_uuid(), $2, now(), 'x', 'LOGIN', 'x')`;

  it.each(BOTH)('are added by %s only to the tenant of the transaction', async (role) => {
    expect(await run(role, acme, insert, [acme, null])).toBe(1);
    for (const scope of [globex, '*', '']) {
      expect([scope, await run(role, scope, insert, [acme, null])]).toEqual([scope, INSUFFICIENT_PRIVILEGE]);
    }
  });

  it.each(BOTH)('get an outcome from %s across tenants', async (role) => {
    expect(await run(role, '*', insert, [acme, randomUUID()])).toBe(1);
    for (const scope of [globex, ''])
      expect(await run(role, scope, insert, [acme, randomUUID()])).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each(BOTH)('are not changed or removed by %s', async (role) => {
    for (const scope of [acme, '*']) {
      for (const text of [
        `update audit_log set target = 'y'`,
        'delete from audit_log',
        'truncate audit_log',
        `update audit_chain set sequence = 0`,
        'delete from audit_chain',
        `update audit_checkpoints set number = 0`,
        'delete from audit_checkpoints',
        'update audit_keys set key_id = $$x$$',
      ]) {
        expect([text, await run(role, scope, text)]).toEqual([text, INSUFFICIENT_PRIVILEGE]);
      }
    }
  });
});

describe('changes of metadata', () => {
  it('are added by the API host in the tenant of the transaction, and neither changed nor removed', async () => {
    const factId = randomUUID();
    await clients.superuser.query(`insert into facts (tenant_id, fact_id, type) values ($1, $2, 'TABLE')`, [
      acme,
      factId,
    ]);
    const insert = `insert into fact_changes (tenant_id, fact_id, version, changed_by, changes)
      values ($1, $2, 2, 'x', '[]')`;
    for (const scope of [globex, '*', ''])
      expect([scope, await run('api', scope, insert, [acme, factId])]).toEqual([scope, INSUFFICIENT_PRIVILEGE]);
    expect(await run('api', acme, insert, [acme, factId])).toBe(1);
    expect(await run('api', acme, 'select from fact_changes where fact_id = $1', [factId])).toBe(1);
    expect(await run('api', globex, 'select from fact_changes where fact_id = $1', [factId])).toBe(0);
    expect(await run('stream', acme, 'select from fact_changes')).toBe(INSUFFICIENT_PRIVILEGE);
    for (const text of ['update fact_changes set version = 3', 'delete from fact_changes', 'truncate fact_changes'])
      expect([text, await run('api', acme, text)]).toEqual([text, INSUFFICIENT_PRIVILEGE]);
    // It goes with its object, which the API host may remove.
    expect(await run('api', acme, 'delete from facts where fact_id = $1', [factId])).toBe(1);
    expect(await run('api', acme, 'select from fact_changes where fact_id = $1', [factId])).toBe(0);
  });
});

describe('accounts and sessions', () => {
  const ACCOUNT = randomUUID();

  it('are written only in the tenant of the transaction', async () => {
    const user = `insert into users (tenant_id, id, email, roles) values ($1, $2, $3, '{}')`;
    const session = `insert into sessions (tenant_id, sid, account_kind, account_id, expires) values ($1, $2, 'user', $3, now())`;
    for (const scope of [globex, '*', '']) {
      expect(await run('api', scope, user, [acme, ACCOUNT, 'a@example.com'])).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await run('api', scope, session, [acme, randomUUID(), ACCOUNT])).toBe(INSUFFICIENT_PRIVILEGE);
    }
    expect(await run('api', acme, user, [acme, ACCOUNT, 'a@example.com'])).toBe(1);
    expect(await run('api', acme, session, [acme, randomUUID(), ACCOUNT])).toBe(1);
    for (const scope of [globex, '*', '']) {
      expect(await run('api', scope, `update users set roles = '{admin}' where tenant_id = $1`, [acme])).toBe(0);
      expect(await run('api', scope, `update sessions set revoked_at = null where tenant_id = $1`, [acme])).toBe(0);
    }
    expect(await run('stream', acme, user, [acme, randomUUID(), 'b@example.com'])).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('show where a session was opened to the API host alone', async () => {
    for (const column of ['address', 'user_agent']) {
      expect(await run('stream', acme, `select ${column} from sessions`)).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await run('api', acme, `select ${column} from sessions`)).not.toBe(INSUFFICIENT_PRIVILEGE);
    }
  });

  it.each([
    `update sessions set expires = now() + interval '1 year'`,
    'update sessions set account_id = gen_random_uuid()',
    `update sessions set cookie_hash = '\\x00'`,
    `update sessions set address = '192.0.2.1', user_agent = 'x'`,
    'update refresh_tokens set sid = gen_random_uuid()',
    `update refresh_tokens set token_hash = '\\x00'`,
    `update users set email = 'boss@example.com'`,
    'update users set id = gen_random_uuid()',
    'update users set tenant_id = gen_random_uuid()',
    `update clients set client_id = 'boss'`,
    'update user_identities set user_id = gen_random_uuid()',
    'update user_identities set subject = $$x$$',
    'update invitations set expires = now()',
    `update roles set name = 'admin'`,
    `update tenants set name = 'x'`,
    'update hosts set id = gen_random_uuid()',
    'update marketplace_requests set account_id = gen_random_uuid()',
    'update outgoing_mails set user_id = gen_random_uuid()',
    `update outgoing_mails set item_id = 'x'`,
    'update notification_settings set user_id = gen_random_uuid()',
    `update oauth_clients set client_id = 'x'`,
    'update oauth_consents set user_id = gen_random_uuid()',
    `update oauth_consents set oauth_client = 'x'`,
  ])('cannot be moved to another account or extended: %s', async (text) => {
    for (const role of BOTH) {
      for (const scope of [acme, '*']) expect(await run(role, scope, text)).toBe(INSUFFICIENT_PRIVILEGE);
    }
  });
});

it('mails are only added by the stream host, in the tenant of the transaction', async () => {
  await clients.superuser.query(
    `insert into marketplace_items (tenant_id, item_id, title, owner_kind, owner_id, owner_name, search, updated_by)
     values ($1, 'sales', 'Sales', 'user', $1, 'ann', 'sales', 'test')`,
    [acme],
  );
  const insert = `
    insert into outgoing_mails (tenant_id, mail_id, user_id, kind, item_id)
    values ($1, gen_random_uuid(), $1, 'ACCESS_REQUEST', 'sales')`;
  expect(await run('stream', acme, insert, [acme])).toBe(1);
  for (const scope of [globex, '']) expect(await run('stream', scope, insert, [acme])).toBe(INSUFFICIENT_PRIVILEGE);
  for (const text of [
    'select state from outgoing_mails',
    'delete from outgoing_mails',
    'select language from notification_settings',
  ])
    expect([text, await run('stream', acme, text)]).toEqual([text, INSUFFICIENT_PRIVILEGE]);
  expect(await run('api', globex, 'select state from outgoing_mails')).toBe(0);
  expect(await run('api', '*', 'select state from outgoing_mails')).toBe(1);
});

it('are granted with the columns of later steps where some are excepted', async () => {
  const { rows } = await clients.superuser.query<{ name: string; may: boolean }>(
    `select attname as name, has_column_privilege($1, attrelid, attnum, 'update') as may from pg_attribute
     where attrelid = 'queries'::regclass and attnum > 0 and not attisdropped`,
    [new URL(test.streamUrl).username],
  );
  const fixed = rows.filter(({ may }) => !may).map(({ name }) => name);
  expect(fixed.sort()).toEqual(
    [
      'account_id',
      'account_kind',
      'audit_id',
      'host_id',
      'query_id',
      'secret_id',
      'session_id',
      'sql',
      'started',
      'statement_bytes',
      'tenant_id',
      'user_name',
    ].sort(),
  );
});
