import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimHome } from './home.ts';
import { ensureSecretFile } from './home-secrets.ts';

let work: string;
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-home-'));
});
afterEach(() => rm(work, { recursive: true }));

describe('claimHome', () => {
  it('creates a home with access for its owner only', async () => {
    const home = await claimHome(join(work, 'a', 'b'));
    expect((await stat(home.folder)).mode & 0o777).toBe(0o700);
    await home.release();
  });

  it('removes a home that it created, including parent folders, on discard', async () => {
    const home = await claimHome(join(work, 'a', 'b'));
    await writeFile(home.path('half'), '');
    await home.discard();
    expect(await readdir(work)).toEqual([]);
  });

  it('removes adopted folders outside a home that it created, on discard', async () => {
    const home = await claimHome(join(work, 'a'));
    await mkdir(join(work, 'outside'));
    home.adopt(join(work, 'outside'));
    await home.discard();
    expect(await readdir(work)).toEqual([]);
  });

  it('fails immediately where no folder can be created and recursive mkdir would retry forever', async () => {
    await expect(claimHome('/proc/sluice/home')).rejects.toThrow('SLUICE_HOME (/proc/sluice/home) cannot be used');
  });

  it('keeps an existing home on discard', async () => {
    await mkdir(join(work, 'a'));
    await writeFile(join(work, 'a', 'mine'), '');
    await (await claimHome(join(work, 'a'))).discard();
    expect(await readdir(join(work, 'a'))).toEqual(['mine']);
  });

  it('throws one sentence with the reason when a home cannot be used', async () => {
    await writeFile(join(work, 'file'), '');
    await expect(claimHome(join(work, 'file', 'home'))).rejects.toThrow(
      `SLUICE_HOME (${join(work, 'file', 'home')}) cannot be used: a part of the path is not a folder.`,
    );
  });
});

describe('ensureSecretFile', () => {
  it('creates a secret once, readable by its owner only', async () => {
    const path = join(work, 'secret');
    expect(await ensureSecretFile(path, () => 'first')).toBe('first');
    expect(await ensureSecretFile(path, () => 'second')).toBe('first');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(work)).toEqual(['secret']);
  });
});
