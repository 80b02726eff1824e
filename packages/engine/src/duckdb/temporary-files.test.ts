import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { formatSpec } from '../../testing/read-result.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

const MIB = 1024 * 1024;

/** 60 MB that have to be sorted. */
const SPILLS = `SELECT max(h) FROM (SELECT h, row_number() OVER (ORDER BY h) FROM
  (SELECT hash(range)::VARCHAR || repeat('a', 100) AS h FROM range(500000)))`;

let parent: string;
let folder: string;
let engine: DuckDbEngine;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sluice-temporary-files-'));
  folder = join(parent, 'worker');
  await mkdir(folder);
  engine = await DuckDbEngine.open({
    catalogs: [],
    defaultCatalog: 'memory',
    defaultSchema: 'main',
    readableFolders: [],
    memoryBytesMax: 32 * MIB,
    tempFolder: folder,
    threads: 1,
  });
});
afterEach(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(parent, { recursive: true });
});

async function run(sql: string, name: 'json' | 'parquet' = 'json'): Promise<void> {
  const format = createFormat(formatSpec({ name }));
  const statement = { sql, queryId: 'q', user: 'u', timeZone: 'UTC' };
  for await (const _ of engine.run(statement, (columns) => format.row(columns), new AbortController().signal));
}

describe('temporary files of the engine', () => {
  it('end a statement with storage_unavailable when the folder cannot be used', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await expect(run(SPILLS)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(run('SELECT 1', 'parquet')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await run('SELECT 1');
  });

  it('end a statement with storage_unavailable when the folder is removed after its first use', async () => {
    await run(SPILLS);
    await rm(folder, { recursive: true });
    await expect(run(SPILLS)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(run('SELECT 1', 'parquet')).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
