import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '@sluice/client';
import { until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { FilesCatalog } from '../../src/files/files-catalog.ts';
import { watchFiles } from '../../src/files/watch-files.ts';

let work: string;
let data: string;
let hosts: TestHosts;
let watch: AsyncDisposable;
let client: Client;
beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'sluice-own-files-')));
  data = join(work, 'data');
  await mkdir(join(data, 'trips', 'year=2023'), { recursive: true });
  await writeFile(join(data, 'rivers.csv'), 'name,km\nElbe,1094\nMain,525\n');
  await writeFile(join(data, 'ragged.csv'), 'a,b,c\n1,2\n');
  await writeFile(join(data, 'trips', 'year=2023', 'a.csv'), 'n\n1\n');
  const [path, reportPath] = [join(work, 'files.duckdb'), join(work, 'files.json')];
  const stop = new AbortController();
  const catalog = new FilesCatalog({ dataFolder: data, merge: 'off', path, reportPath, signal: stop.signal });
  await catalog.refresh({ waits: false });
  watch = watchFiles({ catalog, everyMs: 200, stop, onWarning: () => undefined });
  const settings = { FILES_CATALOG: path, FILES_REPORT: reportPath, SLUICE_DATA_DIR: data };
  hosts = await startHosts(settings, { isHarvested: true, apiSettings: settings });
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward', 'analyst'] });
  const urls = { streamUrl: hosts.url, apiUrl: hosts.api.url };
  client = createClient({ tenant: 'acme', ...urls, auth: { email, password } });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await watch?.[Symbol.asyncDispose]();
  await rm(work, { recursive: true, force: true });
});

const rowsOf = async (sql: string): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for await (const row of client.query(sql)) rows.push(row);
  return rows;
};
const outcomes = async () => (await client.api.listCatalogFiles()).files.map(({ path, view }) => [path, view]);

/** Waits until the harvest has found these views. */
const untilHarvested = (names: readonly string[]) =>
  until(
    async () => {
      const params = { catalog: 'files', schema: 'main' };
      const { data: tables } = await client.api.listCatalogTables({ params }).catch(() => ({ data: [] }));
      return tables.map(({ name }) => name).join() === names.join() ? true : undefined;
    },
    { what: `a harvest of ${names}` },
  );

describe('files of SLUICE_DATA_DIR', () => {
  it('are views of the default tenant, with what became of each', async () => {
    expect(await rowsOf('SELECT * FROM files.main.rivers WHERE km > 1000')).toEqual([{ name: 'Elbe', km: 1094n }]);
    expect(await rowsOf('SELECT n, year FROM files.main.trips')).toEqual([{ n: 1n, year: 2023n }]);
    expect(await outcomes()).toEqual([
      ['ragged.csv', null],
      ['rivers.csv', 'files.main.rivers'],
      ['trips/year=2023/a.csv', 'files.main.trips'],
    ]);
    await untilHarvested(['rivers', 'trips']);
  });

  it('are noticed when they come, change and go, by statements, the list and the catalog', async () => {
    await writeFile(join(data, 'lakes.ndjson'), '{"name": "Müritz"}\n');
    await writeFile(join(data, 'ragged.csv'), 'a,b,c\n1,2,3\n');
    await mkdir(join(data, 'trips', 'year=2024'));
    await writeFile(join(data, 'trips', 'year=2024', 'a.csv'), 'n\n2\n');
    await rm(join(data, 'rivers.csv'));
    const expected = [
      ['lakes.ndjson', 'files.main.lakes'],
      ['ragged.csv', 'files.main.ragged'],
      ['trips/year=2023/a.csv', 'files.main.trips'],
      ['trips/year=2024/a.csv', 'files.main.trips'],
    ];
    const isListed = async (): Promise<boolean> => JSON.stringify(await outcomes()) === JSON.stringify(expected);
    await until(async () => ((await isListed()) ? true : undefined), { what: 'a list of the new files' });
    expect(await rowsOf('SELECT name FROM files.main.lakes')).toEqual([{ name: 'Müritz' }]);
    expect(await rowsOf('SELECT a + b + c AS sum FROM files.main.ragged')).toEqual([{ sum: 6n }]);
    expect(await rowsOf('SELECT sum(n) AS n, max(year) AS year FROM files.main.trips')).toEqual([
      { n: 3n, year: 2024n },
    ]);
    await expect(rowsOf('SELECT * FROM files.main.rivers')).rejects.toMatchObject({ code: 'table_not_found' });
    await untilHarvested(['lakes', 'ragged', 'trips']);
  });
});
