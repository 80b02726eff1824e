import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
  it('throws with the PID of the holder', async () => {
    const lock = await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(
      `Sluice is already running on ${home}: process ${process.pid}, since `,
    );
    await lock.release();
  });

  it('deletes the lock on release', async () => {
    await (await lockHome(home)).release();
    expect(await readdir(home)).toEqual([]);
  });

  it('gives the lock to exactly one of many concurrent starts, with and without a stale lock', async () => {
    const stales = [undefined, '{"pid": 1, "identity": "another", "since": ""}', 'cut sho'];
    for (const stale of Array.from({ length: 20 }, () => stales).flat()) {
      if (stale !== undefined) await writeFile(join(home, 'lock'), stale);
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockHome(home)));
      const taken = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(taken).toHaveLength(1);
      await taken[0]?.value.release();
      expect(await readdir(home)).toEqual([]);
    }
  });

  it('replaces the stale lock when a start has ended while it was replacing it', async () => {
    const stale = JSON.stringify({ pid: 2 ** 22 + 1, identity: 'another', since: '' });
    await writeFile(join(home, 'lock'), stale);
    const replacement = join(home, `lock.${createHash('sha256').update(stale).digest('hex').slice(0, 12)}`);
    const ended = JSON.stringify({ pid: 2 ** 22 + 2, identity: 'another', since: '' });
    await writeFile(replacement, ended);
    const lock = await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(/already running on/);
    await lock.release();
    expect(await readdir(home)).toEqual([]);
  });

  it('replaces the lock of a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    try {
      const lock = await lockHome(home);
      const own = JSON.parse(await readFile(join(home, 'lock'), 'utf8'));
      await writeFile(join(home, 'lock'), JSON.stringify({ ...own, pid: child.pid }));
      // The process is running, but it did not create the lock: the PID was reused.
      const second = await lockHome(home);
      await lock.release();
      await expect(lockHome(home)).rejects.toThrow(/already running on/);
      await second.release();
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
  });
});
