import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withFileLock } from './file-lock.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-lock-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (path: string, pid: number, host = hostname()) =>
  writeFile(path, JSON.stringify({ id: 'other', pid, host }), { mode: 0o600 });

/** Id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['--version']).pid;

it('runs actions one after the other, and leaves no file', async () => {
  const path = join(folder, 'order.lock');
  let running = 0;
  const actions = Array.from({ length: 8 }, () =>
    withFileLock(path, async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
    }),
  );
  await Promise.all(actions);
  expect(await readdir(folder)).toEqual([]);
});

it('is released when the action fails', async () => {
  const path = join(folder, 'failed.lock');
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withFileLock(path, () => Promise.resolve('yes'))).toBe('yes');
});

it('is taken over once from a process that has ended, by many that wait', async () => {
  const path = join(folder, 'ended.lock');
  await write(path, endedPid());
  let running = 0;
  const actions = Array.from({ length: 8 }, () =>
    withFileLock(path, async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
    }),
  );
  await Promise.all(actions);
});

it('is taken over from another computer only after its silence', async () => {
  const path = join(folder, 'silent.lock');
  await write(path, 1, 'elsewhere');
  const waiting = withFileLock(path, () => Promise.resolve('taken'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await stat(path)).isFile()).toBe(true);
  const past = new Date(Date.now() - 60_000);
  await utimes(path, past, past);
  expect(await waiting).toBe('taken');
});

it('removes a takeover lock whose process has ended', async () => {
  const path = join(folder, 'takeover.lock');
  await write(path, endedPid());
  await write(`${path}.takeover`, endedPid());
  expect(await withFileLock(path, () => Promise.resolve('taken'))).toBe('taken');
});
