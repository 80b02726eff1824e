import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@sluice/contract';
import { createDuckDbFiles, type DuckDbFiles } from '@sluice/engine/testing';
import { Admission, WorkerPool } from '@sluice/query-worker';
import { createInProcessState } from '@sluice/shared-state';
import { TenantEngines } from './tenant-engines.ts';

const never = new AbortController().signal;
const tenant = { id: 'id of acme', name: 'acme', state: 'active', settings: {} } as const;
const principal: Principal = {
  tenant,
  kind: 'user',
  id: 'id of ann',
  name: 'ann@acme.example',
  roles: [],
  permissions: new Set(),
  authenticatedAtMs: 0,
};

let files: DuckDbFiles;
let pool: WorkerPool;
let admission: Admission;
let engines: TenantEngines;
let sizeBeforeUse: number;
beforeAll(async () => {
  files = await createDuckDbFiles();
  pool = new WorkerPool({
    workersMax: 2,
    workersWarm: 0,
    addressSpaceBytesMax: 2 * 1024 ** 3,
    tempParentFolder: tmpdir(),
    onWarning: () => undefined,
  });
  admission = new Admission(
    {
      slots: 2,
      backgroundSlots: 1,
      tenantShare: 0.5,
      queriesPerUser: 2,
      queriesPerTenant: 2,
      queuedPerUser: 10,
      queuedPerTenant: 10,
      queueTimeoutMs: 20_000,
    },
    { slots: createInProcessState().slots, workers: pool },
  );
  engines = new TenantEngines(({ id: key }) => ({ kind: 'duckdb', key, profile: files.profile }), {
    workers: admission,
    describeTimeMs: 60_000,
  });
  sizeBeforeUse = pool.size;
});
afterAll(async () => {
  await pool[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
});

describe('TenantEngines', () => {
  it('starts no process before its first use', () => {
    expect(sizeBeforeUse).toBe(0);
  });

  it('describes a statement without running it', async () => {
    const sql = "SELECT answer, 1.50 AS price, error('never run') AS never FROM answers";
    const { columns, tables } = await engines.describe({ sql, signal: never }, principal);
    expect(columns.map(({ name }) => name)).toEqual(['answer', 'price', 'never']);
    expect(columns[1]?.type).toBe('decimal(3,2)');
    expect(tables).toEqual([expect.objectContaining({ name: 'answers' })]);
  });

  it('throws the problem of an invalid statement, and describes the next', async () => {
    await expect(
      engines.describe({ sql: 'SELECT nope\nFROM answers', signal: never }, principal),
    ).rejects.toMatchObject({
      code: 'column_not_found',
      location: { line: 1, column: 8 },
    });
    await expect(engines.describe({ sql: 'DELETE FROM answers', signal: never }, principal)).rejects.toMatchObject({
      code: 'read_only',
    });
    const { columns } = await engines.describe({ sql: 'SELECT 1 AS a', signal: never }, principal);
    expect(columns).toEqual([{ name: 'a', type: 'integer' }]);
  });

  it('lists a catalog with two workers, one for the listing and one to describe unknown types', async () => {
    const kinds: string[] = [];
    const names: string[] = [];
    for await (const page of engines.catalog(tenant, { user: 'sluice', signal: never })) {
      kinds.push(page.kind);
      if (page.kind === 'tables') names.push(...page.tables.map(({ name }) => name));
    }
    expect(kinds).toEqual(['catalogs', 'schemas', 'tables', 'end']);
    expect(names).toEqual(['more_answers', 'Wide; "One"', 'answers', 'broken', 'questions']);
    expect(pool.size).toBeLessThanOrEqual(2);
  });

  it('reports an unreadable catalog, and continues with the next', async () => {
    const catalogs = [...files.profile.catalogs, { name: 'absent', path: `${files.folder}/absent.duckdb` }];
    const broken = new TenantEngines(
      () => ({ kind: 'duckdb', key: 'broken', profile: { ...files.profile, catalogs } }),
      { workers: admission, describeTimeMs: 60_000 },
    );
    const pages = [];
    for await (const page of broken.catalog(tenant, { user: 'sluice', signal: never })) pages.push(page);
    expect(pages.map(({ kind }) => kind)).toEqual(['catalogs', 'unreadable', 'unreadable']);
    expect(pages[1]).toMatchObject({ problem: { code: 'engine_unavailable' } });
  });
});
