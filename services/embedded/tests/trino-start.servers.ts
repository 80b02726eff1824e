import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOnTrino } from '@sluice/engine/testing';
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

  it('creates no demo tables and prints a command that reads a table of its own', async () => {
    const printed = sluice.output();
    expect(printed).not.toMatch(/incomplete|demo data|vega/);
    expect(printedSql(printed)).toBe('SELECT * FROM tpch.tiny.customer LIMIT 3');
    const events = await runPrinted(printed);
    expect(events.map(({ type }) => type)).toEqual(['metadata', 'row', 'row', 'row', 'complete']);
  });
});

const printedSql = (printed: string): unknown =>
  JSON.parse(/-d '(?<body>\{.*\})'/.exec(printed)?.groups?.['body'] ?? '{}').sql;

/** Runs the printed command in a shell, as a user pastes it, and returns its events. */
async function runPrinted(printed: string): Promise<Record<string, unknown>[]> {
  const command = /^curl .*$/m.exec(printed)?.[0] ?? 'false';
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  return [...stdout.matchAll(/^data: (.*)$/gm)].map(([, event = '']) => JSON.parse(event));
}

/** The command reads the first table of the catalog. Suites that run meanwhile create others, so the name of the schema sorts first. */
const SCHEMA = 'memory.aa_sluice_start';

describe.each([
  {
    name: 'the first table, whose name needs quotes',
    catalogs: 'memory',
    sql: `SELECT * FROM ${SCHEMA}."it's a ""table""" LIMIT 3`,
    rows: [{ select: 1, "it's": 'x' }],
  },
  { name: 'a catalog without tables', catalogs: 'blackhole', sql: 'SHOW TABLES FROM blackhole.information_schema' },
])('a start on a Trino with $name', ({ catalogs, sql, rows }) => {
  const table = `${SCHEMA}."it's a ""table"""`;

  beforeAll(async () => {
    await runOnTrino(baseUrl, `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await runOnTrino(baseUrl, `DROP TABLE IF EXISTS ${table}`);
    await runOnTrino(baseUrl, `CREATE TABLE ${table} AS SELECT 1 AS "select", 'x' AS "it's"`);
  }, 120_000);
  afterAll(async () => {
    await runOnTrino(baseUrl, `DROP TABLE ${table}`);
    await runOnTrino(baseUrl, `DROP SCHEMA ${SCHEMA}`);
  });

  it('prints a command that works when it is pasted', async () => {
    const work = await mkdtemp(join(tmpdir(), 'sluice-own-trino-'));
    const environment = { ENGINE_URL: baseUrl, ENGINE_CATALOGS: catalogs };
    const sluice = await spawnSluice({ home: join(work, 'home'), environment });
    try {
      await sluice.untilPrinted(/^curl .*$/m);
      const events = await runPrinted(sluice.output());
      expect(events.at(-1)).toEqual(expect.objectContaining({ type: 'complete' }));
      const found = events.filter(({ type }) => type === 'row').map(({ data }) => data);
      expect(rows === undefined ? found.length > 0 : found).toEqual(rows ?? true);
      expect(sluice.output()).toContain(JSON.stringify({ sql }).replaceAll("'", String.raw`'\''`));
    } finally {
      sluice.child.kill('SIGINT');
      await sluice.exited;
      await rm(work, { recursive: true, force: true });
    }
  });
});

it('rejects SLUICE_DATA_DIR together with Trino before it creates anything', async () => {
  const home = join(tmpdir(), `sluice-never-${process.pid}`);
  const sluice = await spawnSluice({ home, environment: { ...ON_TRINO, SLUICE_DATA_DIR: tmpdir() } });
  expect((await sluice.exited).code).toBe(1);
  expect(sluice.output().trim()).toMatch(/SLUICE_DATA_DIR is served by DuckDB, .*: set only one of them\.$/);
});
