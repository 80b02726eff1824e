import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import pg from 'pg';
import { type AuditReader, auditReader, readLog } from './audit-readers.ts';

let test: TestHost;
let proxy: DatabaseProxy;
let reader: AuditReader;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  proxy = await createDatabaseProxy(testDatabase.apiUrl);
  test = await startTestHost({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT: '1s' }, {}, testDatabase);
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
afterEach(async () => {
  proxy.restore();
  await until(async () => ((await reader.search({})).status === 200 ? true : undefined), { what: 'recovery' });
});

describe('the audit log', () => {
  it.each(['cut', 'hang'] as const)('is not read while the database is %s: 503', async (how) => {
    proxy[how]();
    for (const { status, headers } of await readLog(test.url, reader)) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
  });

  it('rejects reads and logins while no record can be written (disk full, missing right)', async () => {
    const superuser = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
    await superuser.connect();
    const { name } = test.testDatabase.apiRole;
    // PostgreSQL's error for a full disk (SQLSTATE 53100).
    await superuser.query(`
      create function disk_full() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    const faults = [
      [
        'create trigger disk_full before insert on audit_log for each row execute function disk_full()',
        'drop trigger disk_full on audit_log',
      ],
      [`revoke insert on audit_log from ${name}`, `grant insert on audit_log to ${name}`],
    ] as const;
    try {
      for (const [fault, remedy] of faults) {
        await superuser.query(fault);
        try {
          for (const { status, body, text } of await readLog(test.url, reader)) {
            expect([status, body.error]).toEqual([503, 'audit_unavailable']);
            expect(text).not.toContain('disk');
          }
          expect((await login(test.url)).status).toBe(503);
        } finally {
          await superuser.query(remedy);
        }
        expect((await reader.search({})).status).toBe(200);
      }
    } finally {
      await superuser.end();
    }
  });
});

describe('the role of this host', () => {
  it.each([
    'update audit_log set user_name = user_name',
    'delete from audit_log',
    'truncate audit_log',
    'drop table audit_log',
    'alter table audit_log disable row level security',
    'update audit_chain set hash = hash',
    'delete from audit_chain',
    'truncate audit_chain',
    'update audit_checkpoints set payload = payload',
    'delete from audit_checkpoints',
    'update audit_keys set public_key = public_key',
    'delete from audit_keys',
    'delete from audit_counts',
    'delete from audit_sealer',
    `select * from audit_log_${new Date().toISOString().slice(0, 7).replace('-', '_')}`,
  ])('may not: %s', async (statement) => {
    const client = new pg.Client({ connectionString: test.testDatabase.apiUrl });
    await client.connect();
    try {
      await client.query(`select set_config('sluice.tenant_id', '*', false)`);
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    } finally {
      await client.end();
    }
  });

  it('has only SELECT and INSERT on the evidence, and the stream role has no right on the seals', async () => {
    const { apiRole, streamRole } = test.testDatabase;
    const rightsOf = async (role: string, table: string): Promise<string[]> =>
      (
        await test.rows<{ right: string }>(
          `select privilege_type as right from information_schema.role_table_grants
           where grantee = $1 and table_name = $2 order by 1`,
          [role, table],
        )
      ).map(({ right }) => right);
    for (const table of ['audit_log', 'audit_chain', 'audit_checkpoints', 'audit_keys']) {
      expect(await rightsOf(apiRole.name, table)).toEqual(['INSERT', 'SELECT']);
    }
    expect(await rightsOf(streamRole.name, 'audit_log')).toEqual(['INSERT', 'SELECT']);
    for (const table of ['audit_chain', 'audit_checkpoints', 'audit_keys', 'audit_sealer', 'audit_counts']) {
      expect(await rightsOf(streamRole.name, table)).toEqual([]);
    }
  });

  it('has partitions of the log and the chain for this month and the next two', async () => {
    const partitions = (
      await test.rows<{ name: string }>(`select relname as name from pg_class where relispartition`)
    ).map(({ name }) => name);
    const now = new Date();
    for (const ahead of [0, 1, 2]) {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7);
      for (const table of ['audit_log', 'audit_chain']) {
        expect(partitions).toContain(`${table}_${month.replace('-', '_')}`);
      }
    }
  });
});
