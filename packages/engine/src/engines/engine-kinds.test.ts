import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';
import { EMPTY_DUCKDB } from '../../testing/open-duckdb.ts';
import type { TrinoProfile } from '../trino/protocol/profile.ts';
import { checkEngine, engineCapabilities, engineListing, engineLocation } from './engine-kinds.ts';

const TRINO_PROFILE: TrinoProfile = {
  baseUrl: 'https://trino.example:8443',
  catalogs: ['sales', 'hr'],
  defaultCatalog: 'sales',
  credentials: { kind: 'none' },
};
const duckDb = { kind: 'duckdb', key: 'a', profile: EMPTY_DUCKDB } as const;
const trino = { kind: 'trino', key: 'b', profile: TRINO_PROFILE } as const;

describe('the kinds of engines', () => {
  it('differ in their capabilities', () => {
    expect(engineCapabilities(duckDb)).toEqual({
      ...{ vendorName: 'DuckDB', writesFiles: true, runsRemotely: false },
      namesTablesFirst: true,
    });
    expect(engineCapabilities(trino)).toEqual({
      ...{ vendorName: 'Trino', writesFiles: false, runsRemotely: true },
      namesTablesFirst: false,
    });
  });

  it('list the catalogs of their profile, ascending', () => {
    expect(
      engineListing({ ...duckDb, profile: { ...EMPTY_DUCKDB, catalogs: [{ name: 'demo', path: '/x' }] } }).catalogs,
    ).toEqual(['demo']);
    expect(engineListing(trino).catalogs).toEqual(['hr', 'sales']);
  });

  it('have the host name of their data as their location', () => {
    expect([engineLocation(duckDb), engineLocation(trino)]).toEqual(['localhost', 'trino.example']);
  });

  it('are checked where they run outside this process', async () => {
    await expect(checkEngine(duckDb)).resolves.toBeUndefined();
    await using ready = await FakeTrinoEngine.start({ result: { columns: [], pages: [] } });
    await using starting = await FakeTrinoEngine.start({ result: { columns: [], pages: [] }, isStarting: true });
    const at = (baseUrl: string) => ({ ...trino, profile: { ...TRINO_PROFILE, baseUrl } });
    await expect(checkEngine(at(ready.fake.url))).resolves.toBeUndefined();
    await expect(checkEngine(at(starting.fake.url))).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const COMPARISON = /\bkind\b[^\n]{0,8}[!=]==? '(?:duckdb|trino)'|case '(?:duckdb|trino)':/;
/** The engine package itself, the wiring that chooses a tenant's engine, and the formats, one of which is named after Trino's protocol. */
const ALLOWED = /^packages\/(?:engine\/|tenant-engines\/src\/resolver\/|encoders\/src\/create-format\.ts$)/;

it('kinds of engines are compared only in this package and in the resolvers', async () => {
  const paths: string[] = [];
  for (const folder of ['packages', 'services']) {
    for (const member of await readdir(`${ROOT}${folder}`)) {
      const files = await readdir(`${ROOT}${folder}/${member}/src`, { recursive: true }).catch(() => []);
      paths.push(...files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${member}/src/${file}`));
    }
  }
  expect(paths.length).toBeGreaterThan(500);
  const found: string[] = [];
  for (const path of paths.filter((each) => !ALLOWED.test(each) && !each.endsWith('.test.ts'))) {
    if (COMPARISON.test(await readFile(`${ROOT}${path}`, 'utf8'))) found.push(path);
  }
  expect(found).toEqual([]);
});
