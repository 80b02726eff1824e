import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser, ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post } from '@sluice/testkit/requests';

const data = join(tmpdir(), `sluice-data-${process.pid}`);
const filesCatalog = join(data, 'catalog', 'files.duckdb');
let hosts: TestHosts;
let gus: BuiltUser;

async function makeFiles(): Promise<void> {
  await mkdir(join(data, 'catalog'), { recursive: true });
  await mkdir(join(data, 'served'), { recursive: true });
  await writeFile(join(data, 'served', 'rivers.csv'), 'name,km\nElbe,1094\nMain,525\n');
  await writeFile(join(data, 'secret.csv'), 'secret\nhidden\n');
  const instance = await DuckDBInstance.create(filesCatalog);
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW rivers AS FROM read_csv('${join(data, 'served', 'rivers.csv')}')`);
  await connection.run(`CREATE VIEW outside AS FROM read_csv('${join(data, 'secret.csv')}')`);
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  await makeFiles();
  hosts = await startHosts({
    FILES_CATALOG: filesCatalog,
    SLUICE_DATA_DIR: join(data, 'served'),
  });
  gus = await hosts.build.user(hosts.globex);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(data, { recursive: true, force: true });
});

const at = (tenant: string): Credential => ({ host: `${tenant}-stream.localhost` });
const query = (sql: string, headers: Credential): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql }, headers);

describe('SLUICE_DATA_DIR', () => {
  const codeOf = async (answer: ReceivedResponse): Promise<unknown> => (await eventsOf(answer)).at(-1)?.['code'];

  it('is a catalog of the default tenant, also under its own host name', async () => {
    for (const headers of [basicOf(hosts.ann), { ...basicOf(hosts.ann), ...at('acme') }]) {
      const { text } = await query('SELECT * FROM files.main.rivers ORDER BY km DESC', headers);
      expect(text).toContain('{"name":"Elbe","km":1094}');
    }
  });

  it('is hidden from other tenants, including its name', async () => {
    const headers = { ...basicOf(gus), ...at('globex') };
    expect(await codeOf(await query('SELECT * FROM files.main.rivers', headers))).toBe('TABLE_NOT_FOUND');
    expect((await query('SHOW ALL TABLES', headers)).text).not.toContain('rivers');
    expect((await query('SELECT * FROM information_schema.tables', headers)).text).not.toContain('rivers');
  });

  it('allows views no files outside it, and is not named in any response', async () => {
    const outside = await query('SELECT * FROM files.main.outside', basicOf(hosts.ann));
    expect((await eventsOf(outside)).at(-1)).toMatchObject({ type: 'error' });
    expect(outside.text).not.toContain('hidden');
    for (const sql of ['SELECT * FROM files.main.outside', 'EXPLAIN SELECT * FROM files.main.rivers']) {
      const { text } = await query(sql, basicOf(hosts.ann));
      expect(text).not.toContain(join(data, 'served'));
    }
  });
});
