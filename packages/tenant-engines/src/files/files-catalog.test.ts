import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '@sluice/config';
import type { Tenant } from '@sluice/contract';
import { createEngineResolver, tenantEngineSettings } from '../resolver/create-engine-resolver.ts';
import { createFilesReportReader } from './files-catalog.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const tenant = (name: string): Tenant => ({ id: `id of ${name}`, name, state: 'active', settings: {} });

function settingsOf() {
  const environment = { FILES_CATALOG: join(folder, 'files.duckdb'), FILES_REPORT: join(folder, 'files.json') };
  return { ...readSettings(tenantEngineSettings, environment).settings, tenantNameDefault: 'acme' };
}

/** Replaces a file as a new version of the catalog does. */
async function replace(name: string, content: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

describe('the catalog of files', () => {
  it('gives the engine of the default tenant a revision that changes with each version, also of the same size', async () => {
    const resolve = createEngineResolver(settingsOf());
    const revisions = new Set([resolve(tenant('acme'))]);
    const seen: unknown[] = [];
    for (const version of ['one', 'two', 'three']) {
      await replace('files.duckdb', version);
      const spec = resolve(tenant('acme'));
      seen.push(spec.kind === 'duckdb' ? spec.revision : undefined);
      revisions.add(spec);
    }
    expect(new Set(seen).size).toBe(3);
    expect([...revisions].map(({ key }) => key)).toEqual(Array(4).fill('id of acme'));
    expect(resolve(tenant('globex'))).not.toHaveProperty('revision');
  });

  it('has a report that only the default tenant reads, and each version of it', async () => {
    const read = createFilesReportReader(settingsOf());
    expect([await read(tenant('acme')), await read(tenant('globex'))]).toEqual([[], undefined]);
    for (const version of [[{ path: 'a.csv' }], [{ path: 'b.csv' }]]) {
      await replace('files.json', JSON.stringify(version));
      expect([await read(tenant('acme')), await read(tenant('globex'))]).toEqual([version, undefined]);
    }
  });
});
