import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectEvents } from '@sluice/testkit';
import { type SpawnedSluice, spawnSluice } from './spawn-sluice.ts';

// The default is the Trino of `deploy/components/trino.mjs start`.
// biome-ignore lint/style/noProcessEnv: a test run reads the address of its server like a service does
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const ON_TRINO = { ENGINE_URL: baseUrl, ENGINE_CATALOGS: 'tpch', ENGINE_SCHEMA: 'tiny' };
const READY = /^Sluice is ready.*$/m;

describe('a first start with Trino as the engine', () => {
  let work: string;
  let sluice: SpawnedSluice;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'sluice-on-trino-'));
    sluice = await spawnSluice({ home: join(work, 'home'), environment: ON_TRINO });
    await sluice.untilPrinted(READY);
    await sluice.untilPrinted(/^curl .*$/m);
  });
  afterAll(async () => {
    sluice.child.kill('SIGINT');
    await sluice.exited;
    await rm(work, { recursive: true, force: true });
  });

  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const credential = Buffer.from('analyst@acme.example:sluice-demo').toString('base64');
    const response = await fetch(`http://127.0.0.1:${sluice.streamPort}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${credential}` },
      body: JSON.stringify({ sql }),
    });
    expect(response.status).toBe(200);
    return collectEvents(response.body as unknown as AsyncIterable<Uint8Array>);
  };

  it('creates the demo accounts, which may query the tables of Trino', async () => {
    expect(await query('SELECT count(*) AS orders FROM orders')).toContainEqual(
      expect.objectContaining({ type: 'row', data: { orders: 15_000 } }),
    );
  });

  it('creates no demo tables and prints a statement that runs on any engine', async () => {
    const printed = sluice.output();
    expect(printed).not.toMatch(/incomplete|demo data|vega/);
    const { sql } = JSON.parse(/-d '(?<body>\{.*\})'/.exec(printed)?.groups?.['body'] ?? '{}') as { sql: string };
    expect(await query(sql)).toContainEqual(
      expect.objectContaining({ type: 'row', data: expect.objectContaining({ person: 'acme/analyst@acme.example' }) }),
    );
  });
});

it('rejects SLUICE_DATA_DIR together with Trino before it creates anything', async () => {
  const home = join(tmpdir(), `sluice-never-${process.pid}`);
  const sluice = await spawnSluice({ home, environment: { ...ON_TRINO, SLUICE_DATA_DIR: tmpdir() } });
  expect((await sluice.exited).code).toBe(1);
  expect(sluice.output().trim()).toMatch(/SLUICE_DATA_DIR is served by DuckDB, .*: set only one of them\.$/);
});
