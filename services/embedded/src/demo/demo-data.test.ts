import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureDemoData } from './demo-data.ts';

const lines: string[] = [];
const announce = (line: string) => lines.push(line);
const { signal } = new AbortController();
let work: string;
let folder: string;
let path: string;
let connection: DuckDBConnection;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
  folder = join(work, 'demo');
  path = await ensureDemoData({ folder, announce, signal });
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  connection = await instance.connect();
}, 120_000);
afterAll(async () => {
  connection.closeSync();
  await rm(work, { recursive: true });
});

const select = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
const typesOf = async (table: string) =>
  Object.fromEntries(
    (await select(`SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '${table}'`)) as [
      string,
      string,
    ][],
  );

describe('ensureDemoData', () => {
  it('contains the three million flights', async () => {
    expect(await select('SELECT count(*), count(DISTINCT origin) FROM vega.flights')).toEqual([['3000000', '229']]);
    expect(await typesOf('flights')).toMatchObject({ date: 'TIMESTAMP', delay: 'BIGINT', origin: 'VARCHAR' });
  });

  it('contains every table in a supported format and no others', async () => {
    const names = (await select(`SELECT table_name FROM duckdb_tables() WHERE schema_name = 'vega'`)).flat();
    expect(names).toHaveLength(61);
    expect(names).toEqual(
      expect.arrayContaining(['airports', 'movies', 'earthquakes', 'seattle_weather', 'penguins', 'unemployment']),
    );
    // Images, Arrow, TopoJSON and documents that are not tables.
    for (const out of ['ffox', 'flights_200k_arrow', 'us_10m', 'miserables', 'flights_3m']) {
      expect(names).not.toContain(out);
    }
  });

  it('reads GeoJSON as one row per feature', async () => {
    expect(await select('SELECT count(*), count(DISTINCT id), max(mag) FROM vega.earthquakes')).toEqual([
      ['1707', '1707', 6.4],
    ]);
    expect(await select(`SELECT geometry.coordinates FROM vega.earthquakes WHERE id = 'ci37868143'`)).toEqual([
      [[-118.6671667, 34.4945, 26.49]],
    ]);
  });

  it('reads dates as dates, and codes and mixed columns as text', async () => {
    expect(await typesOf('stocks')).toMatchObject({ date: 'DATE', price: 'DOUBLE' });
    expect(await typesOf('flights_2k')).toMatchObject({ date: 'TIMESTAMP', delay: 'BIGINT' });
    expect(await typesOf('zipcodes')).toMatchObject({ zip_code: 'VARCHAR', latitude: 'DOUBLE' });
    expect(await typesOf('movies')).toMatchObject({ Title: 'VARCHAR', 'Release Date': 'DATE' });
    expect(await typesOf('wheat')).toMatchObject({ year: 'BIGINT' });
    expect(
      await select(`SELECT DISTINCT data_type FROM duckdb_columns() WHERE data_type IN ('JSON', 'HUGEINT')`),
    ).toEqual([]);
  });

  it('is created once: a second start finds the one file', async () => {
    const before = lines.length;
    expect(await ensureDemoData({ folder, announce, signal })).toBe(path);
    expect(lines).toHaveLength(before);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('removes incomplete files of an earlier start', async () => {
    const other = join(work, 'other');
    const stop = new AbortController();
    const stopAtFirstTables = (line: string) => line.includes(' of ') && stop.abort(new Error('stopped'));
    await expect(ensureDemoData({ folder: other, announce: stopAtFirstTables, signal: stop.signal })).rejects.toThrow(
      'stopped',
    );
    expect(await readdir(other)).toEqual([]);
    await writeFile(join(other, 'vega-0-0.duckdb.new'), 'half');
    await expect(ensureDemoData({ folder: other, announce, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await readdir(other)).toEqual([]);
  });
});
