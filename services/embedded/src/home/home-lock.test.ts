import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockHome } from './home-lock.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-lock-'));
});
afterEach(() => rm(home, { recursive: true }));

describe('lockHome', () => {
  it('names the process that holds the home', async () => {
    const lock = await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(`Sluice runs on ${home} already: process ${process.pid}, since `);
    await lock.release();
  });

  it('leaves nothing when it is released', async () => {
    await (await lockHome(home)).release();
    expect(await readdir(home)).toEqual([]);
  });

  it('lets exactly one of many take it, a stale lock or none', async () => {
    for (const stale of [undefined, '{"pid": 1, "identity": "another", "since": ""}', 'cut sho']) {
      if (stale !== undefined) await writeFile(join(home, 'lock'), stale);
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockHome(home)));
      const taken = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(taken).toHaveLength(1);
      await taken[0]?.value.release();
    }
  });

  it('takes over the lock of a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const lock = await lockHome(home);
    const own = JSON.parse(await readFile(join(home, 'lock'), 'utf8'));
    await writeFile(join(home, 'lock'), JSON.stringify({ ...own, pid: child.pid }));
    // The process lives, but it is not the one that made the lock: its number was used again.
    const second = await lockHome(home);
    await lock.release();
    await expect(lockHome(home)).rejects.toThrow(/runs on/);
    await second.release();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});
