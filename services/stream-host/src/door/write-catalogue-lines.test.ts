import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CatalogueStore, TableKey } from '@sluice/store/catalog';
import { LINE_FILES, writeCatalogueLines } from './write-catalogue-lines.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-lines-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

/** A store with this many pages of one table with two columns. */
const storeOf = (pages: number): CatalogueStore => ({
  version: async () => 'v',
  catalogs: async (_, onLines) => onLines('catalog'),
  schemas: async (_, onLines) => onLines('schema'),
  async tables(_, after, { onTable, onColumns }): Promise<TableKey | undefined> {
    const page = after === undefined ? 1 : Number(after[2]) + 1;
    onTable(`table ${page}`);
    onColumns(`a of ${page}\nb of ${page}`);
    return page === pages ? undefined : ['c', 's', String(page)];
  },
});

const signal = new AbortController().signal;

describe('the lines of a mirrored catalog', () => {
  it('are those of all pages', async () => {
    await writeCatalogueLines(storeOf(2), { tenantId: 't', folder, signal });
    const files = await Promise.all(LINE_FILES.map((name) => readFile(join(folder, name), 'utf8')));
    expect(files).toEqual(['catalog\n', 'schema\n', 'table 1\ntable 2\n', 'a of 1\nb of 1\na of 2\nb of 2\n']);
  });

  it('are limited', async () => {
    const written = writeCatalogueLines(storeOf(50_000), { tenantId: 't', folder, signal, bytesMax: 1_000 });
    await expect(written).rejects.toMatchObject({ code: 'resource_limit' });
  });

  it('stop with the reason of their signal', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const written = writeCatalogueLines(storeOf(2), { tenantId: 't', folder, signal: stop.signal });
    await expect(written).rejects.toThrow('stopped');
  });
});
