import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { CatalogueDatabases } from './catalogue-databases.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-databases-'));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

/** Databases of a store whose version the test changes. Making one writes an empty file, after `before`. */
function createDatabases({ databasesMax }: { readonly databasesMax?: number } = {}) {
  const state = { version: 'v1', made: 0, before: async (): Promise<void> => undefined };
  const databases = new CatalogueDatabases({
    store: {
      version: async () => state.version,
      catalogs: async (_, onLines) => onLines('{}'),
      schemas: async () => undefined,
      tables: async () => undefined,
    },
    async makeDatabase(_, files) {
      state.made += 1;
      await state.before();
      await writeFile(files.database, '');
    },
    folders: { create: () => mkdtemp(join(root, 'tenant-')), [Symbol.asyncDispose]: async () => undefined },
    ...(databasesMax === undefined ? {} : { databasesMax }),
  });
  return { databases, state };
}

const NEVER = new AbortController().signal;

/** Waits until the version is looked up again, which happens at most once a second. */
async function openOther(databases: CatalogueDatabases, path: string): Promise<string> {
  for (;;) {
    using opened = await databases.open('t', NEVER);
    if (opened.path !== path) return opened.path;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('databases of mirrored catalogs', () => {
  it('are made once for all statements that wait, without the files of their rows', async () => {
    const { databases, state } = createDatabases();
    const opened = await Promise.all([1, 2, 3].map(() => databases.open('t', NEVER)));
    expect(new Set(opened.map(({ path }) => path)).size).toBe(1);
    expect(state.made).toBe(1);
    expect(existsSync(join(opened[0]?.path ?? '', '..', 'catalogs'))).toBe(false);
  });

  it('are one for each tenant', async () => {
    const { databases } = createDatabases();
    using one = await databases.open('t', NEVER);
    using other = await databases.open('u', NEVER);
    expect(one.path).not.toBe(other.path);
  });

  it('are made again for a new version, and the older one stays while it is used', async () => {
    const { databases, state } = createDatabases();
    const older = await databases.open('t', NEVER);
    state.version = 'v2';
    const path = await openOther(databases, older.path);
    expect([existsSync(older.path), existsSync(path)]).toEqual([true, true]);
    older[Symbol.dispose]();
    while (existsSync(older.path)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(existsSync(path)).toBe(true);
  });

  it('fail together, and the next statement tries again', async () => {
    const { databases, state } = createDatabases();
    state.before = async () => {
      throw new ProblemError('engine_unavailable', 'The engine does not start.');
    };
    const failed = await Promise.allSettled([databases.open('t', NEVER), databases.open('t', NEVER)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(state.made).toBe(1);
    state.before = async () => undefined;
    using opened = await databases.open('t', NEVER);
    expect(existsSync(opened.path)).toBe(true);
  });

  it('are made on when a statement that waits for them is stopped', async () => {
    const { databases, state } = createDatabases();
    let finish = (): void => undefined;
    state.before = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const stop = new AbortController();
    const stopped = databases.open('t', stop.signal);
    const waiting = databases.open('t', NEVER);
    while (state.made === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    finish();
    using opened = await waiting;
    expect(existsSync(opened.path)).toBe(true);
  });

  it('make room for others, the one first that was not used for the longest time', async () => {
    const { databases } = createDatabases({ databasesMax: 2 });
    const paths: string[] = [];
    for (const tenantId of ['a', 'b', 'c']) {
      using opened = await databases.open(tenantId, NEVER);
      paths.push(opened.path);
    }
    while (existsSync(paths[0] ?? '')) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it('are removed when nobody uses them for a while', async () => {
    const { databases } = createDatabases();
    const opened = await databases.open('t', NEVER);
    await databases.removeIdle(-1);
    expect(existsSync(opened.path)).toBe(true);
    opened[Symbol.dispose]();
    while (existsSync(opened.path)) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
