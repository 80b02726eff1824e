import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runSluice } from './run-command.ts';
import { CONNECTS_FOR_EVER, withModule } from './with-module.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-end-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it.each([
  [0, ['--version']],
  [1, ['query', 'SELECT 1']],
  [2, ['qeury']],
])('ends with exit code %d although a library keeps the event loop busy', async (exitCode, words) => {
  const run = await runSluice(words, { env: withModule(home, CONNECTS_FOR_EVER) });
  expect(run).toMatchObject({ exitCode, signal: null });
});

/** Longer than the command runs: it has nothing more to do when its reader begins. */
const SLOW_MS = 1000;
const TIMES = 200;

it('writes all of its output to a slow reader before it ends', async () => {
  const source = `${CONNECTS_FOR_EVER}
    const write = process.stdout.write;
    process.stdout.write = function (data, ...rest) { return write.call(this, String(data).repeat(${TIMES}), ...rest); };`;
  const run = await runSluice(['help', 'environment'], {
    env: withModule(home, source),
    onStart: ({ stdout }) => {
      stdout.pause();
      setTimeout(() => stdout.resume(), SLOW_MS);
    },
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toBe(run.stdout.slice(0, run.stdout.length / TIMES).repeat(TIMES));
  // More than fits into a pipe.
  expect(run.stdout.length).toBeGreaterThan(200_000);
});
