import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser, ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, openHeldTransfer, post } from '@sluice/testkit/requests';

const data = join(tmpdir(), `sluice-data-${process.pid}`);
const filesCatalog = join(data, 'catalog', 'files.duckdb');
let hosts: TestHosts;
let gus: BuiltUser;

const served = (name: string): string => join(data, 'served', name);

/** Writes a new version of the catalog beside it and renames it. */
async function writeCatalog(views: Readonly<Record<string, string>>): Promise<void> {
  const instance = await DuckDBInstance.create(`${filesCatalog}.new`);
  const connection = await instance.connect();
  for (const [name, path] of Object.entries(views))
    await connection.run(`CREATE VIEW ${name} AS FROM read_csv('${path}')`);
  connection.closeSync();
  instance.closeSync();
  await rename(`${filesCatalog}.new`, filesCatalog);
}

async function makeFiles(): Promise<void> {
  await mkdir(join(data, 'catalog'), { recursive: true });
  await mkdir(join(data, 'served'), { recursive: true });
  await writeFile(served('rivers.csv'), 'name,km\nElbe,1094\nMain,525\n');
  await writeFile(join(data, 'secret.csv'), 'secret\nhidden\n');
  await writeCatalog({ rivers: served('rivers.csv'), outside: join(data, 'secret.csv') });
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

  it('names a removed file, and serves the views of a new version of the catalog without a restart', async () => {
    await writeFile(served('lakes.csv'), 'name\nMüritz\n');
    await writeCatalog({ rivers: served('rivers.csv'), outside: join(data, 'secret.csv'), lakes: served('lakes.csv') });
    const lakes = () => query('SELECT * FROM files.main.lakes', basicOf(hosts.ann));
    for (let count = 0; count < 4; count += 1) expect((await lakes()).text).toContain('Müritz');
    await rm(served('lakes.csv'));
    expect((await eventsOf(await lakes())).at(-1)).toMatchObject({
      code: 'TABLE_NOT_FOUND',
      error: expect.stringContaining('The file lakes.csv of the view main.lakes has been removed.'),
    });
    await writeCatalog({ rivers: served('rivers.csv'), outside: join(data, 'secret.csv') });
    const gone = await lakes();
    expect(await codeOf(gone)).toBe('TABLE_NOT_FOUND');
    expect(gone.text).not.toContain('has been removed');
  });

  it('continues a statement on the files that it opened', async () => {
    const lines = 300_000;
    await writeFile(served('long.csv'), `name\n${'a line of thirty-two characters.\n'.repeat(lines)}`);
    await writeCatalog({ rivers: served('rivers.csv'), outside: join(data, 'secret.csv'), long: served('long.csv') });
    const url = `${hosts.url}/query/download/csv`;
    const running = await openHeldTransfer(url, 'SELECT * FROM files.main.long', basicOf(hosts.ann));
    await running.readTo(1_000);
    await writeFile(served('long.csv.new'), 'name\nother\n');
    await rename(served('long.csv.new'), served('long.csv'));
    await writeCatalog({ rivers: served('rivers.csv'), outside: join(data, 'secret.csv') });
    expect(await codeOf(await query('SELECT * FROM files.main.long', basicOf(hosts.ann)))).toBe('TABLE_NOT_FOUND');
    const { bytes, isWhole } = await running.readRest();
    expect([isWhole, bytes.toString().split('\n').length, bytes.includes('other')]).toEqual([true, lines + 2, false]);
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
