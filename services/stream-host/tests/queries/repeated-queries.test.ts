import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '@sluice/store/database';
import { createAccountStore } from '@sluice/store/identity';
import type { BuiltUser, ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';

const filesCatalog = join(tmpdir(), `sluice-repeated-${process.pid}.duckdb`);
const RIVERS_OF_ACME = 'SELECT name, km FROM files.main.rivers LIMIT 2';
const SHARED = 'SELECT n FROM numbers LIMIT 3';
let hosts: TestHosts;
let gus: BuiltUser;

/** A stored table that only the default tenant has, so that its plan is kept. */
async function makeFilesCatalog(): Promise<void> {
  const instance = await DuckDBInstance.create(filesCatalog);
  const connection = await instance.connect();
  await connection.run("CREATE TABLE rivers AS SELECT * FROM (VALUES ('Elbe', 1094), ('Main', 525)) AS r(name, km)");
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  await makeFilesCatalog();
  hosts = await startHosts({ FILES_CATALOG: filesCatalog, WORKERS_MAX: '1', WORKERS_WARM: '1' });
  gus = await hosts.build.user(hosts.globex);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(filesCatalog, { force: true });
});

const query = (sql: string, headers: Credential, more: object = {}): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql, ...more }, headers);
const eventTypes = async (answer: ReceivedResponse): Promise<unknown[]> =>
  (await eventsOf(answer)).map(({ type, code }) => code ?? type);

describe('a query that was run before', () => {
  it('returns the same bytes, each time with a record and a receipt of its own', async () => {
    const answers: ReceivedResponse[] = [];
    for (let turn = 0; turn < 4; turn += 1)
      answers.push(await post(`${hosts.url}/query/download/csv`, { sql: SHARED }, basicOf(hosts.ann)));
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['n\n0\n1\n2\n']));
    const ids = answers.map(queryIdOf);
    expect(new Set(ids).size).toBe(4);
    for (const [index, id] of ids.entries()) {
      const bytes = answers[index]?.bytes ?? Buffer.alloc(0);
      expect(await receiptOf(hosts.url, id, basicOf(hosts.ann))).toMatchObject({
        state: 'FINISHED',
        rows: 3,
        sha256: sha256Of(bytes),
      });
    }
    const records = await hosts.rows<{ n: string }>(
      'select count(distinct query_id) as n from audit_log where query_id = any ($1)',
      [ids],
    );
    expect(records).toEqual([{ n: '4' }]);
  });

  it('is rejected for another tenant that does not have its tables, before and after its own tenant ran it', async () => {
    const globex = { ...basicOf(gus), host: 'globex-stream.localhost' };
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await eventTypes(await query(RIVERS_OF_ACME, globex))).toEqual(['TABLE_NOT_FOUND']);
      const acme = await query(RIVERS_OF_ACME, basicOf(hosts.ann));
      expect(await eventTypes(acme)).toEqual(['metadata', 'row', 'row', 'complete']);
      expect(await eventTypes(await query(RIVERS_OF_ACME, basicOf(hosts.ann)))).toHaveLength(4);
    }
  }, 120_000);

  it('is rejected for a user of the same tenant without query:run, and as soon as a user has lost it', async () => {
    const ben = await hosts.build.user(hosts.acme);
    const reader = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    expect((await query(SHARED, basicOf(ben))).status).toBe(200);
    expect((await query(SHARED, basicOf(reader))).status).toBe(403);
    await using database = createDatabase({ url: hosts.testDatabase.apiUrl });
    await createAccountStore(database).setRoles({ tenantId: hosts.acme.id, kind: 'user', id: ben.id }, ['auditor']);
    expect((await query(SHARED, basicOf(ben))).status).toBe(403);
    expect((await query(SHARED, basicOf(hosts.ann))).status).toBe(200);
  });

  it('uses the time zone and the size of each request', async () => {
    const instant = "SELECT n, TIMESTAMPTZ '2026-10-25 00:30:00+00' AS at FROM numbers";
    for (const [time_zone, hour] of [
      ['UTC', '00'],
      ['Europe/Berlin', '02'],
      ['UTC', '00'],
    ] as const)
      for (const size of [1, 3, 1]) {
        const { text } = await query(instant, basicOf(hosts.ann), { size, time_zone });
        expect(text.match(/"row"/g)).toHaveLength(size);
        expect(text).toContain(`"at":"2026-10-25 ${hour}:30:00`);
      }
  });

  it('returns the present time', async () => {
    const times = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      const { text } = await query('SELECT localtimestamp AS at FROM numbers LIMIT 1', basicOf(hosts.ann));
      times.add(/"at":"([^"]+)"/.exec(text)?.[1] ?? '');
    }
    expect(times.size).toBe(3);
  });
});
