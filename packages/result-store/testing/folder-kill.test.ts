import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { scriptArguments } from '@sluice/testkit';
import { FolderResultStore, ResultMissingError } from '../src/index.ts';
import { IDENTITY } from './memory-result.ts';

/** Program that writes a result without end, and says when it has begun. */
const program = (folder: string): string => `
  const { FolderResultStore } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)});
  const upload = await new FolderResultStore(${JSON.stringify(folder)}).create(${JSON.stringify(IDENTITY)});
  for (let count = 0; ; count += 1) {
    await upload.write(Buffer.alloc(100_000, 1));
    if (count === 10) process.stdout.write('writing');
  }`;

describe('a process that is killed while it writes a result', () => {
  it('leaves nothing that can be read, and what it leaves is listed and removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-kill-'));
    try {
      const child = spawn(process.execPath, scriptArguments(program(folder)), { stdio: ['ignore', 'pipe', 'inherit'] });
      const closed = once(child, 'close');
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await closed;
      const store = new FolderResultStore(folder);
      await expect(store.open(IDENTITY, 1_000)).rejects.toBeInstanceOf(ResultMissingError);
      const listed = [];
      for await (const { identity, isComplete } of store.list()) listed.push({ identity, isComplete });
      expect(listed).toEqual([{ identity: IDENTITY, isComplete: false }]);
      await store.remove(IDENTITY);
      expect(await readdir(join(folder, IDENTITY.tenantId))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
