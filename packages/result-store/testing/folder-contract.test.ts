import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FolderResultStore } from '../src/index.ts';
import { IDENTITY } from './memory-result.ts';
import { describeResultStore } from './result-store-contract.ts';

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describeResultStore('in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-results-'));
  const store = new FolderResultStore(join(folder, 'results'));
  return {
    store,
    rawBytes: async () => Buffer.concat(await Promise.all((await filesIn(folder)).map((file) => readFile(file)))),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('the files of a result store', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-results-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are readable by their owner only', async () => {
    const store = new FolderResultStore(folder);
    const upload = await store.create(IDENTITY);
    await upload.write(Buffer.from('x'));
    await upload.commit();
    const [file = ''] = await filesIn(folder);
    expect(await filesIn(folder)).toHaveLength(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, IDENTITY.tenantId))).mode & 0o777).toBe(0o700);
  });

  it('are not written twice at once', async () => {
    const store = new FolderResultStore(folder);
    const identity = { ...IDENTITY, queryId: '44444444-4444-4444-8444-444444444444' };
    const upload = await store.create(identity);
    await expect(store.create(identity)).rejects.toThrow('EEXIST');
    await upload.abort();
  });
});
