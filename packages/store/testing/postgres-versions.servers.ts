import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases } from '@sluice/testkit';
import pg from 'pg';
import { createDatabase } from '../src/database/database.ts';
import { createTenantStore } from '../src/identity/tenant-store.ts';
import { schemaSteps } from '../src/migrations/index.ts';
import { LOCK_TIMEOUT_MS, retryOnLockTimeout } from '../src/schema/retry-on-lock-timeout.ts';
import { runSteps } from '../src/schema/run-steps.ts';
import { type ComponentServer, runStatements, startComponentServer, urlOf } from './component-server.ts';

const MIGRATE = fileURLToPath(new URL('../../../services/api-host/dist/commands/migrate-main.js', import.meta.url));

/** SQL that docs/operations.md lists for the operator, run by a superuser. */
const OPERATOR_SQL = (database: string) => [
  `create database ${database} owner sluice_owner`,
  `revoke connect, temporary on database ${database} from public`,
  `grant connect on database ${database} to sluice_api, sluice_stream`,
];
/**
 * Statement that a superuser runs in the new database: before PostgreSQL 15 every role may create tables in this schema, and only a
 * superuser can revoke that.
 */
const OPERATOR_SQL_INSIDE = 'alter schema public owner to sluice_owner';

/** A step as a later version may add it: it changes tables that hosts use. */
const LATER_STEP = {
  name: '9001-more',
  sql: `
    alter table tenants add column extra text;
    alter table audit_log add column extra text;
    alter table queries add column extra boolean not null default false;`,
};

/** Number of tables that one transaction reads: at least as many as one request of a host. */
const TABLES_EACH = 5;

/** Reads a few tables in each transaction, all of them in turn, until it is stopped. Then returns the longest wait for a statement. */
function readUntilStopped(url: string, tables: readonly string[]): { stop(): Promise<number> } {
  let isStopped = false;
  const done = (async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    let longestMs = 0;
    for (let first = 0; !isStopped; first = (first + TABLES_EACH) % Math.max(tables.length, 1)) {
      await client.query('begin');
      for (const table of tables.slice(first, first + TABLES_EACH)) {
        const start = performance.now();
        await client.query(`select 1 from ${table} limit 1`);
        longestMs = Math.max(longestMs, performance.now() - start);
      }
      await client.query('commit');
      await wait(5);
    }
    await client.end();
    return longestMs;
  })();
  return {
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

/** The oldest and the newest version are enough for each change. */
const MAJORS = allCases ? [14, 15, 16, 17, 18] : [14, 18];

describe.each(MAJORS)('PostgreSQL %i', (major) => {
  let server: ComponentServer;
  beforeAll(async () => {
    server = await startComponentServer({ major, port: 26_500 + major });
    for (const role of ['owner', 'api', 'stream']) {
      await runStatements(server.superuserUrl, `create role sluice_${role} login password '${role}-password'`);
    }
  }, 120_000);
  afterAll(async () => await server[Symbol.asyncDispose]());

  const createUrls = async (database: string) => {
    for (const statement of OPERATOR_SQL(database)) await runStatements(server.superuserUrl, statement);
    const inside = urlOf(server.superuserUrl, { role: 'postgres', password: 'postgres', database });
    await runStatements(inside, OPERATOR_SQL_INSIDE);
    const of = (role: string) =>
      urlOf(server.superuserUrl, { role: `sluice_${role}`, password: `${role}-password`, database });
    return { owner: of('owner'), api: of('api'), stream: of('stream') };
  };
  type Urls = Awaited<ReturnType<typeof createUrls>>;

  /** The operator created the roles, so the URLs for the command contain no passwords and the owner needs no CREATEROLE. */
  const startMigration = (urls: Urls): ChildProcess =>
    spawn(process.execPath, [MIGRATE], {
      env: {
        DATABASE_OWNER_URL: urls.owner,
        API_DATABASE_URL: urls.api.replace(/:[^:@/]+@/, '@'),
        STREAM_DATABASE_URL: urls.stream.replace(/:[^:@/]+@/, '@'),
        MIGRATE_LOCK_TIMEOUT: '500ms',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  const migration = async (urls: Urls) => {
    const child = startMigration(urls);
    let words = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (words += String(data)));
    const [code] = await once(child, 'close');
    return { code, words };
  };
  const DONE = { code: 0, words: 'The database schema is up to date.\n' };

  it('is migrated by two concurrent commands, one of which waits, with roles that the operator created', async () => {
    const urls = await createUrls('twice');
    expect(await Promise.all([migration(urls), migration(urls)])).toEqual([DONE, DONE]);
    for (const url of [urls.api, urls.stream]) {
      await using database = createDatabase({ url });
      await database.ping();
    }
  });

  it('binds the serving roles by row-level security on every table of tenants', async () => {
    const urls = await createUrls('walls');
    expect(await migration(urls)).toEqual(DONE);
    await using api = createDatabase({ url: urls.api });
    const tenant = await createTenantStore(api).create({ name: 'acme' });
    expect(tenant.id).toMatch(/^[0-9a-f-]{36}$/);
    const tables = `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
    const names = (await runStatements<{ name: string }>(urls.owner, tables)).map(({ name }) => name);
    expect(names).toContain('audit_log');
    const active = names.map((name) => `row_security_active('${name}')`).join(' and ');
    for (const url of [urls.api, urls.stream]) {
      expect(await runStatements(url, `select ${active} as bound`)).toEqual([{ bound: true }]);
    }
    expect(await runStatements(urls.api, 'select name from roles')).toEqual([]);
    expect((await runStatements(urls.owner, 'select name from roles')).length).toBe(5);
    for (const url of [urls.api, urls.stream]) {
      await expect(runStatements(url, 'create table thief (id int)')).rejects.toThrow('permission denied');
    }
    await using owner = createDatabase({ url: urls.owner });
    await expect(owner.ping()).rejects.toThrow('bypasses row-level security');
  });

  it('is unchanged after a migration is killed in the middle, and the next one succeeds', async () => {
    const urls = await createUrls('killed');
    const blocker = new pg.Client({ connectionString: urls.owner });
    await blocker.connect();
    // The same table, not yet committed: the step waits for it, half done.
    await blocker.query('begin; create table login_failures (id int)');
    const child = startMigration(urls);
    const waits = `select 1 from pg_stat_activity where datname = 'killed' and wait_event_type = 'Lock'`;
    const deadline = Date.now() + 20_000;
    while ((await runStatements(server.superuserUrl, waits)).length === 0) {
      if (Date.now() > deadline) throw new Error('The migration never came to the step.');
      await wait(10);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    await blocker.query('rollback');
    await blocker.end();
    // The server notices the dead client when the statement ends.
    while ((await runStatements(server.superuserUrl, waits)).length > 0) await wait(10);
    expect(await runStatements(urls.owner, 'select name from knex_migrations')).toEqual([]);
    expect(await runStatements(urls.owner, `select to_regclass('tenants') as half`)).toEqual([{ half: null }]);
    expect(await migration(urls)).toEqual(DONE);
  });

  it('runs each step while readers of every table come and go in any order, and delays none of them for long', async () => {
    const urls = await createUrls('serving');
    const waits: number[] = [];
    const all = [...schemaSteps, LATER_STEP];
    for (let count = 1; count <= all.length; count += 1) {
      const tables = await runStatements<{ relname: string }>(
        urls.owner,
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
           and relname not like 'knex%' order by 1`,
      );
      const names = tables.map(({ relname }) => relname);
      const readers = [names, names.toReversed()].map((tables) => readUntilStopped(urls.owner, tables));
      const steps = all.slice(0, count);
      try {
        const order = { ownerUrl: urls.owner, connectTimeoutMs: 2000, lockTimeoutMs: LOCK_TIMEOUT_MS, steps };
        await retryOnLockTimeout(() => runSteps(order));
      } finally {
        waits.push(...(await Promise.all(readers.map((reader) => reader.stop()))));
      }
    }
    // Time limit of a host for a reply of its database.
    expect(Math.max(...waits)).toBeLessThan(2000);
    expect(await migration(urls)).toEqual(DONE);
  });

  it('waits for a table that is in use without delaying others for long, and then continues', async () => {
    const urls = await createUrls('busy');
    const ownerUrl = urls.owner;
    const order = { ownerUrl, connectTimeoutMs: 2000, lockTimeoutMs: LOCK_TIMEOUT_MS };
    await runSteps({ ...order, steps: schemaSteps });
    const writer = new pg.Client({ connectionString: ownerUrl });
    await writer.connect();
    await writer.query('begin; lock table tenants in row exclusive mode');
    const running = retryOnLockTimeout(() => runSteps({ ...order, steps: [...schemaSteps, LATER_STEP] }));
    const gaveUp = `select 1 from pg_stat_database where datname = 'busy' and xact_rollback > 1`;
    const deadline = Date.now() + 20_000;
    while ((await runStatements(server.superuserUrl, gaveUp)).length === 0 && Date.now() < deadline) await wait(50);
    await writer.query('commit');
    await writer.end();
    await running;
    expect(await runStatements(ownerUrl, 'select extra from tenants')).toEqual([]);
  });
});
