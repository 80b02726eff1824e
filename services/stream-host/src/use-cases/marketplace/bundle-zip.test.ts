import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '@sluice/engine';
import { EMPTY_DUCKDB, formatSpec } from '@sluice/engine/testing';
import type { QueryJob } from '@sluice/query-worker';
import { leaseOf, openDuckDb } from '../../../tests/queries/engine-lease.ts';
import { unzip } from '../../../tests/results/unzip.ts';
import type { BundledStatement } from './bundle.ts';
import { bundleZip } from './bundle-zip.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bundle-'));
  engine = await openDuckDb(folder);
});
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Given {
  readonly format?: 'csv' | 'json' | 'parquet';
  readonly compression?: 'deflate' | 'store';
}

/** Runs the statements on DuckDB and returns all bytes of the archive. */
async function archiveOf(statements: readonly BundledStatement[], given: Given = {}): Promise<Buffer> {
  const { format: name = 'csv', compression = 'deflate' } = given;
  const format = formatSpec({ name });
  const bundle = bundleZip(statements, { format, extension: name, compression, manifest: { item: 'sales' } });
  const job: QueryJob = {
    engine: { kind: 'duckdb', key: 'test', profile: EMPTY_DUCKDB },
    statement: { sql: 'recorded only', queryId: 'q1', user: 'ann@example.com', timeZone: 'UTC' },
    format,
  };
  const bytes: Buffer[] = [];
  for await (const event of bundle.runner(leaseOf(engine))(job, new AbortController().signal)) {
    if (event.kind !== 'rows') continue;
    bytes.push(Buffer.from(event.bytes));
    event.release?.();
  }
  const end = bundle.format.complete({ queryId: 'q1', rows: 0, limited: false, elapsedMs: 0 });
  return Buffer.concat([...bytes, Buffer.from(end)]);
}

const NUMBERS: BundledStatement = { name: 'numbers', sql: 'SELECT n FROM range(3) AS r(n)', about: 'Three numbers' };
const TEXTS: BundledStatement = { name: 'texts', sql: `SELECT 'a,b' AS t, NULL AS u`, about: '' };

describe('an archive of several results', () => {
  it('has a file for each statement in order, then the manifest', async () => {
    const files = await unzip(await archiveOf([NUMBERS, TEXTS]));
    expect([...files.keys()]).toEqual(['numbers.csv', 'texts.csv', 'manifest.json']);
    expect(files.get('numbers.csv')?.toString()).toBe('n\n0\n1\n2\n');
    expect(files.get('texts.csv')?.toString()).toBe('t,u\n"a,b",\n');
  });

  it.each(['csv', 'json', 'parquet'] as const)(
    'describes each %s file in the manifest, with its size and digest',
    async (format) => {
      const files = await unzip(await archiveOf([NUMBERS, TEXTS], { format, compression: 'store' }));
      const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
      expect(manifest).toMatchObject({ item: 'sales', query_id: 'q1', files: [{ rows: 3 }, { rows: 1 }] });
      for (const { file, bytes, sha256 } of manifest.files) {
        const content = files.get(file) ?? Buffer.alloc(0);
        expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')]);
      }
    },
  );

  it('describes the statement of each file with its columns and the values of its parameters', async () => {
    const parameters = [{ name: 'least', type: { name: 'bigint' }, value: '1' }] as const;
    const sql = 'SELECT n FROM range(3) AS r(n) WHERE n >= $least';
    const files = await unzip(await archiveOf([{ ...NUMBERS, sql, parameters }, TEXTS]));
    const { files: listed } = JSON.parse(files.get('manifest.json')?.toString() ?? '');
    expect(listed).toMatchObject([
      {
        name: 'numbers',
        file: 'numbers.csv',
        about: 'Three numbers',
        parameters: { least: 1 },
        columns: [{ name: 'n', type: 'bigint' }],
        rows: 2,
      },
      { name: 'texts', parameters: {}, columns: [{ name: 't' }, { name: 'u' }] },
    ]);
    expect(JSON.stringify(listed)).not.toContain('SELECT');
  });

  it('has safe and distinct file names, none of them that of the manifest', async () => {
    const named = ['a/b', 'A\\B', 'manifest', 'con'].map((name) => ({ ...NUMBERS, name }));
    const files = await unzip(await archiveOf(named, { format: 'json' }));
    expect([...files.keys()]).toEqual(['a_b.json', 'A_B (2).json', 'manifest (2).json', '_con.json', 'manifest.json']);
  });

  it('holds more rows than fit in one event, compressed or not', async () => {
    const many = { ...NUMBERS, sql: `SELECT n, repeat('x', 100) AS filler FROM range(20000) AS r(n)` };
    const [deflated, stored] = await Promise.all([archiveOf([many]), archiveOf([many], { compression: 'store' })]);
    expect(deflated.length).toBeLessThan(stored.length / 5);
    const lines = [deflated, stored].map(async (archive) => (await unzip(archive)).get('numbers.csv')?.toString());
    const [one, other] = await Promise.all(lines);
    expect([one?.split('\n').length, one === other]).toEqual([20_002, true]);
  });

  it('has no manifest if a later statement fails, so every reader rejects it', async () => {
    const fails = { ...TEXTS, sql: `SELECT CAST('x' || n AS INTEGER) AS t FROM range(2) AS r(n)` };
    await expect(archiveOf([NUMBERS, fails])).rejects.toMatchObject({ code: 'data_error' });
  });
});
