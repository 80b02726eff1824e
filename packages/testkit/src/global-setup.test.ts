import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const SETUP = new URL('../jest/global-setup.mjs', import.meta.url).href;
const LISTEN = `
  require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'));`;
/** Prints the path at which a package of pnpm, which is a symbolic link, is found after the setup. Another one was found before. */
const RESOLVE = `
  const { default: setUp } = await import(${JSON.stringify(SETUP)});
  const { createRequire } = await import('node:module');
  const { resolve } = createRequire(process.cwd() + '/package.json');
  resolve('zod');
  await setUp();
  console.log(resolve('jest'));
  await globalThis[Symbol.for('sluice.test-run')]();
  process.exit();`;

it('removes the folder of a killed run, after which modules are found as before', async () => {
  const parent = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
  // A process that has ended made it, so no live process has its number.
  const ended = spawn(process.execPath, ['-e', '0']);
  await once(ended, 'exit');
  const folder = join(parent, `sluice-test-${ended.pid}-killed`);
  mkdirSync(folder);
  try {
    await once(spawn(process.execPath, ['-e', LISTEN, join(folder, 'lifeline')]), 'exit');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', RESOLVE]);
    expect(existsSync(folder)).toBe(false);
    expect(stdout).toContain('/node_modules/.pnpm/');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
