import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TempFolders } from './temp-folders.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sluice-temp-folders-'));
});
afterEach(async () => await rm(parent, { recursive: true, force: true }));

describe('TempFolders', () => {
  it('creates a private folder for each worker and removes it with its content', async () => {
    await using folders = new TempFolders(parent);
    const [one, two] = [await folders.create(), await folders.create()];
    expect(one).not.toBe(two);
    for (const folder of [one, dirname(one)]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await writeFile(join(one, 'spilled'), 'x');
    folders.remove(one);
    await folders[Symbol.asyncDispose]();
    expect(await readdir(parent)).toEqual([]);
  });

  it('removes folders of ended processes at the next start, and keeps those of live processes and other machines', async () => {
    await using mine = new TempFolders(parent);
    const kept = dirname(await mine.create());
    const dead = spawnSync(process.execPath, ['--version']).pid;
    const stale = [
      basename(kept).replace(`-${process.pid}-`, `-${dead}-`),
      basename(kept).replace(/-\d+-(\w+)$/, '-1-$1'),
    ];
    const others = ['sluice-workers-elsewhere_1-7-7-abc', `sluice-workers-${hostname()}`, 'unrelated'];
    for (const name of [...stale, ...others]) {
      await mkdir(join(parent, name));
      await writeFile(join(parent, name, 'spilled'), 'x');
    }
    await using next = new TempFolders(parent);
    const created = dirname(await next.create());
    expect((await readdir(parent)).sort()).toEqual([...others, basename(kept), basename(created)].sort());
  });

  it('creates its root again after it was removed from outside', async () => {
    await using folders = new TempFolders(parent);
    await rm(dirname(await folders.create()), { recursive: true });
    const [one, two] = await Promise.all([folders.create(), folders.create()]);
    expect(dirname(one)).toBe(dirname(two));
    expect((await stat(one)).mode & 0o777).toBe(0o700);
  });

  it('rejects with the cause when the parent cannot be created', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    await chmod(file, 0o400);
    await using folders = new TempFolders(join(file, 'below'));
    await expect(folders.create()).rejects.toThrow('ENOTDIR');
  });
});
