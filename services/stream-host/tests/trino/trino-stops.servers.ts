import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receipt } from '@sluice/contract';
import { createDatabase, type Database } from '@sluice/store/database';
import { createAccountStore } from '@sluice/store/identity';
import { openSlowReader, send, until } from '@sluice/testkit';
import { type MarkedSql, marked, untilCancelledOnTrino, untilOnTrino } from '@sluice/testkit/fixtures';
import { type ChildHost, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  finalReceipt,
  idtoken,
  logIn,
  post,
  receiptOf,
  startQuery,
} from '@sluice/testkit/requests';
import { TRINO_STATEMENTS } from '@sluice/testkit/statements';

const { endless, long } = TRINO_STATEMENTS;
const STALL_MS = 2000;
const FILES = ['/query', '/query/download/json', '/query/download/csv'];

let hosts: TestHosts;
let database: Database;
let ann: Credential;
let auditor: Credential;
let child: ChildHost | undefined;
beforeAll(async () => {
  hosts = await startHosts(
    { WORKERS_MAX: '8', WORKERS_WARM: '2', STALL_TIMEOUT: `${STALL_MS}ms` },
    { engine: 'trino' },
  );
  database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 2 });
  ann = basicOf(hosts.ann);
  auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(() => void child?.child.kill('SIGKILL'));

interface Running extends MarkedSql {
  readonly queryId: string;
  readonly text: Promise<string>;
  disconnect(): void;
}

/** Starts a stream and waits until Trino lists its statement. */
async function runOn(url: string, sql: string, credential: Credential): Promise<Running> {
  const statement = marked(sql);
  const started = await startQuery(url, statement.sql, credential);
  await untilOnTrino(statement);
  return { ...statement, ...started };
}

/** Measures the time from the stop to the end that Trino reports. Trino runs on this machine, so both use one clock. */
async function expectStoppedInTime(statement: MarkedSql, stoppedMs: number): Promise<number> {
  const { endedMs } = await untilCancelledOnTrino(statement);
  expect((endedMs ?? 0) - stoppedMs).toBeLessThan(1_000);
  return endedMs ?? Number.POSITIVE_INFINITY;
}

/** Waits for the receipt of a stopped query, which is written after Trino's end. */
async function receiptAfter(endedMs: number, running: Running, credential: Credential): Promise<Receipt> {
  const receipt = await finalReceipt(hosts.url, running.queryId, { credential });
  expect(receipt.ended_ts).toBeGreaterThanOrEqual(endedMs);
  return receipt;
}

async function expectCancelled(running: Running, reason: string, stoppedMs: number): Promise<void> {
  const endedMs = await expectStoppedInTime(running, stoppedMs);
  expect(await running.text).toContain(reason);
  const receipt = await receiptAfter(endedMs, running, auditor);
  expect(receipt).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED' } });
}

/** Waits for the end of the only query of the host and returns the time of its last byte. */
async function lastSentMs(): Promise<number> {
  const { running } = hosts.stream.context;
  let sent = { bytes: 0, ms: 0 };
  await until(
    () => {
      const [query] = running.all();
      if (query !== undefined && query.bytes > sent.bytes) sent = { bytes: query.bytes, ms: Date.now() };
      return query === undefined && sent.bytes > 0 ? true : undefined;
    },
    { what: 'the end of a query that is not read' },
  );
  return sent.ms;
}

describe('Trino stops working on a query', () => {
  it('cancelled by its caller', async () => {
    const running = await runOn(hosts.url, endless, ann);
    const stoppedMs = Date.now();
    const answer = await send(`${hosts.url}/query/${running.queryId}`, { method: 'DELETE', headers: { ...ann } });
    expect(answer.status).toBe(202);
    await expectCancelled(running, '"code":"QUERY_CANCELLED"', stoppedMs);
  });

  it('cancelled by its caller at another host', async () => {
    child = await startChildHost(hosts);
    const running = await runOn(hosts.url, endless, ann);
    const stoppedMs = Date.now();
    const answer = await send(`${child.url}/query/${running.queryId}`, { method: 'DELETE', headers: { ...ann } });
    expect(answer.status).toBe(202);
    await expectCancelled(running, 'cancelled by its caller', stoppedMs);
  });

  it.each([
    ['before rows', endless],
    ['among them', long],
  ])('whose client disconnects, %s', async (_when, sql) => {
    const running = await runOn(hosts.url, sql, ann);
    const stoppedMs = Date.now();
    running.disconnect();
    const receipt = await receiptAfter(await expectStoppedInTime(running, stoppedMs), running, ann);
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null });
  });

  it('whose session ends', async () => {
    const { id_token } = await logIn(hosts, hosts.ann);
    const running = await runOn(hosts.url, endless, idtoken(id_token));
    const stoppedMs = Date.now();
    await send(`${hosts.api.url}/auth/logout/acme`, { headers: { idtoken: id_token } });
    await expectCancelled(running, 'its session ended', stoppedMs);
  });

  it('whose account is disabled', async () => {
    const user = await hosts.build.user(hosts.acme);
    const running = await runOn(hosts.url, endless, basicOf(user));
    const stoppedMs = Date.now();
    await createAccountStore(database).disable({ tenantId: hosts.acme.id, kind: 'user', id: user.id });
    await expectCancelled(running, 'its account was disabled', stoppedMs);
  });

  it('at its time limit', async () => {
    const queryTimeLimitMs = 3000;
    const tenant = await hosts.build.tenant({ settings: { queryTimeLimitMs } });
    const user = await hosts.build.user(tenant);
    const { id_token } = await logIn(hosts, user, tenant.name);
    const running = await runOn(hosts.url, endless, idtoken(id_token));
    const { started_ts } = await receiptOf(hosts.url, running.queryId, idtoken(id_token));
    await expectStoppedInTime(running, started_ts + queryTimeLimitMs);
    expect(await running.text).toContain('"code":"TIME_LIMIT"');
  });

  it('at the row limit of its tenant', async () => {
    const tenant = await hosts.build.tenant({ settings: { rowsMax: 60_000 } });
    const { id_token } = await logIn(hosts, await hosts.build.user(tenant), tenant.name);
    const statement = marked(long);
    const answer = await post(`${hosts.url}/query`, { sql: statement.sql }, idtoken(id_token));
    expect(answer.text).toContain('"code":"RESOURCE_LIMIT"');
    await untilCancelledOnTrino(statement);
  });

  it('after `size` rows', async () => {
    const statement = marked(long);
    const answer = await post(`${hosts.url}/query`, { sql: statement.sql, size: 5, progress: true }, ann);
    expect(answer.text).toContain('"limited":true');
    expect(answer.text.match(/"type":"row"/g)).toHaveLength(5);
    await untilCancelledOnTrino(statement);
  });

  it.each(FILES)('whose client reads nothing for STALL_TIMEOUT: %s', async (path) => {
    const statement = marked(long);
    using reader = openSlowReader({
      url: `${hosts.url}${path}`,
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: statement.sql }),
      bytesPerSecond: 0,
    });
    const lastMs = await lastSentMs();
    await expectStoppedInTime(statement, lastMs + STALL_MS);
    expect(reader.received().length).toBeLessThan(1_000_000);
    const [row] = await hosts.rows<{ state: string }>('select state from queries order by started desc limit 1');
    expect(row?.state).toBe('CANCELLED');
  });

  it.each([
    ['before its rows', endless],
    ['among them', long],
  ])('whose worker is killed, %s', async (_when, sql) => {
    const running = await runOn(hosts.url, sql, ann);
    const stoppedMs = Date.now();
    for (const pid of hosts.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
    await expectStoppedInTime(running, stoppedMs);
    expect(await running.text).toContain('"code":"ENGINE_CRASHED"');
  });

  it('whose host is stopped', async () => {
    const graceMs = 500;
    child = await startChildHost(hosts, { DRAIN_GRACE: `${graceMs}ms` });
    const running = await runOn(child.url, endless, ann);
    const stoppedMs = Date.now() + graceMs;
    child.child.kill('SIGTERM');
    await expectStoppedInTime(running, stoppedMs);
    expect(await running.text).toContain('"code":"SERVER_SHUTDOWN"');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('whose host is killed, through its worker', async () => {
    child = await startChildHost(hosts);
    const running = await runOn(child.url, endless, ann);
    const workers = await child.workerPids();
    const stoppedMs = Date.now();
    child.child.kill('SIGKILL');
    await expect(running.text).rejects.toThrow();
    await expectStoppedInTime(running, stoppedMs);
    await until(async () => (workers.some(isRunning) ? undefined : true), {
      what: 'the end of all workers',
      withinMs: 4000,
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
