import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { HarvestRunBody } from '@sluice/contract';
import { makeDuckDbFile } from '@sluice/engine/testing';
import type { RunningHost } from '@sluice/host-runtime';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { startApiHost } from '../../src/index.ts';

const SHOP = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.answers (answer INTEGER, price DECIMAL(12, 2), "Odd; ""name""" STRUCT(a INTEGER, "B c" VARCHAR[]));
  CREATE TABLE shop.orders (id BIGINT, placed TIMESTAMP WITH TIME ZONE);
  CREATE VIEW shop.questions AS SELECT answer AS question FROM shop.answers;`;
/** The same catalog later: one table is removed, one is new, one has other columns. */
const LATER = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.answers (price DECIMAL(12, 2), answer BIGINT, extra VARCHAR);
  CREATE TABLE shop.arrivals (id INTEGER);
  CREATE VIEW shop.questions AS SELECT answer AS question FROM shop.answers;`;

/** Allows for worker starts and two tenants in turn on a busy machine. */
jest.setTimeout(180_000);
const WAIT_MS = 60_000;

let folder: string;
let test: TestHost;
let admin: LoggedIn;
let host: RunningHost;
let url: string;

async function makeDatabase(name: string, sql: string): Promise<string> {
  const path = join(folder, `${name}.duckdb`);
  await makeDuckDbFile(path, sql);
  return path;
}

/** Starts a host on the same database whose engine has these catalogs, after stopping the previous one. */
async function serve(catalogs: Readonly<Record<string, string>>, settings: Record<string, string> = {}): Promise<void> {
  await host[Symbol.asyncDispose]();
  const list = Object.entries(catalogs).map(([name, path]) => `${name}=${path}`);
  host = await startApiHost({
    environment: { ...test.environment, ...settings, LOG_LEVEL: 'silent', DUCKDB_CATALOGS: list.join(',') },
    overrides: { passwordCosts: { memoryKib: 64, passes: 1 } },
  });
  url = host.url;
}

const harvests = async (by = admin): Promise<readonly HarvestRunBody[]> =>
  (await send(`${url}/admin/harvest`, { headers: { idtoken: by.idToken } })).body.data;

/** Requests a harvest and waits for its end. */
async function harvest(by = admin): Promise<HarvestRunBody> {
  const started = await send(`${url}/admin/harvest`, { method: 'POST', headers: { idtoken: by.idToken } });
  expect(started.status).toBe(202);
  return await untilOver(started.body.run_id, by);
}

async function untilOver(runId: string, by = admin): Promise<HarvestRunBody> {
  for (const giveUpAt = performance.now() + WAIT_MS; performance.now() < giveUpAt; await wait(50)) {
    const run = (await harvests(by)).find(({ run_id }) => run_id === runId);
    if (run?.state === 'FINISHED' || run?.state === 'FAILED') return run;
  }
  throw new Error(`The harvest ${runId} is not over: ${JSON.stringify(await harvests(by))}`);
}

interface TableRow {
  readonly fact_id: string;
  readonly name: string;
  readonly type: string;
  readonly is_absent: boolean;
  readonly version: string;
}

const tables = (tenantId = test.acme.tenantId): Promise<TableRow[]> =>
  test.rows<TableRow>(
    `select t.fact_id, t.catalog_name || '.' || t.schema_name || '.' || t.name as name, f.type,
       t.absent_since is not null as is_absent, t.xmin::text || f.xmin::text as version
     from catalog_tables t join facts f using (tenant_id, fact_id) where t.tenant_id = $1 order by 2`,
    [tenantId],
  );

const columnsOf = (name: string) =>
  test.rows<{ column: string; is_absent: boolean }>(
    `select c.name || ' ' || c.type as column, c.absent_since is not null as is_absent
     from catalog_columns c join catalog_tables t using (tenant_id, fact_id)
     where t.tenant_id = $1 and t.name = $2 order by c.absent_since is not null, c.position, c.name`,
    [test.acme.tenantId, name],
  );

const idOf = async (name: string): Promise<string | undefined> =>
  (await tables()).find((table) => table.name === name)?.fact_id;

let first: string;
let later: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-harvest-'));
  first = await makeDatabase('first', SHOP);
  later = await makeDatabase('later', LATER);
  test = await startTestHost({ DUCKDB_CATALOGS: `demo=${first}` });
  host = test.host;
  url = test.url;
  admin = await logInAs(test, ['admin'], test.acme);
}, 120_000);
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('POST /admin/harvest', () => {
  it('mirrors tables, views, columns and types, with an audit record', async () => {
    const run = await harvest();
    expect(run).toMatchObject({ state: 'FINISHED', tables: 3, columns: 6, names_skipped: 0, error: null });
    expect((await tables()).map(({ name, type }) => [name, type])).toEqual([
      ['demo.shop.answers', 'TABLE'],
      ['demo.shop.orders', 'TABLE'],
      ['demo.shop.questions', 'VIEW'],
    ]);
    expect((await columnsOf('answers')).map(({ column }) => column)).toEqual([
      'answer integer',
      'price decimal(12,2)',
      'Odd; "name" row(a integer,"B c" array(varchar))',
    ]);
    expect((await columnsOf('orders')).map(({ column }) => column)).toEqual([
      'id bigint',
      'placed timestamp(6) with time zone',
    ]);
    const [catalog] = await test.rows('select vendor_name, location from catalogs where tenant_id = $1', [
      test.acme.tenantId,
    ]);
    expect(catalog).toEqual({ vendor_name: 'DuckDB', location: 'localhost' });
    const records = await test.rows(
      "select user_name, target from audit_log where action = 'START_HARVEST' and target = $1",
      [run.run_id],
    );
    expect(records).toEqual([{ user_name: admin.email, target: run.run_id }]);
  });

  it('writes nothing for unchanged objects', async () => {
    const before = await tables();
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 3, tables_changed: 0, tables_absent: 0 });
    expect(await tables()).toEqual(before);
  });

  it('returns the current run to further requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        send(`${url}/admin/harvest`, { method: 'POST', headers: { idtoken: admin.idToken } }),
      ),
    );
    const ids = [...new Set(answers.map(({ body }) => body.run_id as string))];
    for (const id of ids) expect(await untilOver(id)).toMatchObject({ state: 'FINISHED' });
    const overlaps = await test.rows(
      `select 1 from harvest_runs a join harvest_runs b using (tenant_id)
       where a.run_id <> b.run_id and a.started < b.started and a.ended > b.started`,
    );
    expect(overlaps).toEqual([]);
  });

  it('needs the permission; a rejection is audited', async () => {
    const steward = await logInAs(test, ['steward', 'auditor'], test.acme);
    for (const method of ['POST', 'GET']) {
      const answer = await send(`${url}/admin/harvest`, { method, headers: { idtoken: steward.idToken } });
      expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
      expect((await send(`${url}/admin/harvest`, { method })).status).toBe(401);
      const records = await test.rows('select action from audit_log where request_id = $1', [
        answer.headers['x-request-id'],
      ]);
      expect(records).toEqual([{ action: 'ACCESS_DENIED' }]);
    }
  });

  it('isolates tenants: each sees its own runs and tables', async () => {
    const other = await logInAs(test, ['admin'], test.globex);
    const run = await harvest(other);
    expect((await harvests()).some(({ run_id }) => run_id === run.run_id)).toBe(false);
    const own = new Set((await tables()).map(({ fact_id }) => fact_id));
    const theirs = await tables(test.globex.tenantId);
    expect(theirs).toHaveLength(3);
    expect(theirs.some(({ fact_id }) => own.has(fact_id))).toBe(false);
  });
});

describe('a change between two harvests', () => {
  it('is written; a missing object is marked absent and keeps its metadata', async () => {
    const orders = await idOf('demo.shop.orders');
    const answers = await idOf('demo.shop.answers');
    await test.rows("update facts set description = 'Every order', tags = array['pii'] where fact_id = $1", [orders]);
    await serve({ demo: later });
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 3, tables_absent: 1 });
    expect((await tables()).map(({ name, is_absent }) => [name, is_absent])).toEqual([
      ['demo.shop.answers', false],
      ['demo.shop.arrivals', false],
      ['demo.shop.orders', true],
      ['demo.shop.questions', false],
    ]);
    expect(await idOf('demo.shop.answers')).toBe(answers);
    expect(await columnsOf('answers')).toEqual([
      { column: 'price decimal(12,2)', is_absent: false },
      { column: 'answer bigint', is_absent: false },
      { column: 'extra varchar', is_absent: false },
      { column: 'Odd; "name" row(a integer,"B c" array(varchar))', is_absent: true },
    ]);
    const kept = await test.rows('select description, tags from facts where fact_id = $1', [orders]);
    expect(kept).toEqual([{ description: 'Every order', tags: ['pii'] }]);
  });

  it('restores metadata and columns when the object reappears', async () => {
    const orders = await idOf('demo.shop.orders');
    await serve({ demo: first });
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 3, tables_absent: 1 });
    const back = (await tables()).find(({ name }) => name === 'demo.shop.orders');
    expect(back).toMatchObject({ fact_id: orders, is_absent: false });
    expect((await columnsOf('answers')).filter(({ is_absent }) => !is_absent).map(({ column }) => column)).toEqual([
      'answer integer',
      'price decimal(12,2)',
      'Odd; "name" row(a integer,"B c" array(varchar))',
    ]);
    const kept = await test.rows('select description from facts where fact_id = $1', [orders]);
    expect(kept).toEqual([{ description: 'Every order' }]);
  });

  it('marks all tables of a removed catalog absent, and restores them', async () => {
    await serve({ demo: first, more: later });
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 6 });
    await serve({ demo: first });
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 3, tables_absent: 3 });
    const absent = (await tables()).filter(({ is_absent }) => is_absent).map(({ name }) => name);
    expect(absent).toEqual(['demo.shop.arrivals', 'more.shop.answers', 'more.shop.arrivals', 'more.shop.questions']);
  });

  it('keeps the mirror when a catalog cannot be read, and names that catalog', async () => {
    const before = await tables();
    await serve({ demo: join(folder, 'is-not-there.duckdb') });
    const run = await harvest();
    expect(run).toMatchObject({ state: 'FAILED', error: { code: 'ENGINE_UNAVAILABLE' } });
    expect(run.error?.message).toContain('demo');
    expect(run.error?.message).not.toContain(folder);
    expect((await tables()).map(({ name, is_absent }) => [name, is_absent])).toEqual(
      before.map(({ name, is_absent }) => [name, is_absent]),
    );
  });
});

describe('a scheduled harvest', () => {
  const lastOf = async (tenantId: string) =>
    (
      await test.rows<{ reason: string; state: string; requested_by: string | null }>(
        `select reason, state, requested_by from harvest_runs where tenant_id = $1 and requested > now() - interval '1 hour'
         order by requested desc limit 1`,
        [tenantId],
      )
    )[0];
  /** Moves every run so far into the past. */
  const hoursLater = () => test.rows(`update harvest_runs set requested = requested - interval '2 hours'`);
  const untilReason = async (reason: string): Promise<void> => {
    for (const { tenantId } of [test.acme, test.globex]) {
      for (const giveUpAt = performance.now() + WAIT_MS; ; await wait(50)) {
        const last = await lastOf(tenantId);
        if (last?.reason === reason && last.state === 'FINISHED') break;
        if (performance.now() > giveUpAt)
          throw new Error(`No harvest for the reason ${reason}: ${JSON.stringify(last)}`);
      }
    }
  };

  it('runs at host start and on schedule, for each tenant', async () => {
    await untilNone();
    await host[Symbol.asyncDispose](); // it would find them due itself
    await hoursLater();
    await serve({ demo: first });
    await untilReason('start');
    await hoursLater();
    await untilReason('schedule');
    expect(await lastOf(test.acme.tenantId)).toMatchObject({ requested_by: null });
    // No other run is due this early.
    expect(await test.rows("select 1 from harvest_runs where state in ('QUEUED', 'RUNNING')")).toEqual([]);
  });
});

describe('a harvest of a host that died', () => {
  it('is resumed by another host after its lease, behind what was written', async () => {
    await serve({ demo: later });
    await harvest();
    await serve({ demo: first });
    await untilNone();
    const runId = randomUUID();
    await test.rows(
      `insert into harvest_runs (tenant_id, run_id, state, reason, attempt, started, held_until, last_catalog, last_schema,
         last_table, tables_seen)
       values ($1, $2, 'RUNNING', 'schedule', 1, now(), now() + interval '3 seconds', 'demo', 'shop', 'answers', 1)`,
      [test.acme.tenantId, runId],
    );
    const run = await untilOver(runId);
    expect(run).toMatchObject({ state: 'FINISHED', attempts: 2, tables: 3 });
    const [ended] = await test.rows<{ waited: boolean }>(
      "select ended > requested + interval '2.9 seconds' as waited from harvest_runs where run_id = $1",
      [runId],
    );
    expect(ended?.waited).toBe(true);
  });
});

/** Waits until the run requested at host start has ended. */
async function untilNone(): Promise<void> {
  for (const giveUpAt = performance.now() + WAIT_MS; performance.now() < giveUpAt; await wait(50)) {
    const open = await test.rows("select 1 from harvest_runs where state in ('QUEUED', 'RUNNING')");
    if (open.length === 0) return;
  }
  throw new Error('A harvest does not end');
}
