// The processes that the pages need: Sluice, a shell, and Python with the libraries of the examples.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../../deploy/components/component.mjs';

const BLOCK_TIMEOUT_MS = 900_000;

/** Runs `npm start`, and resolves when it is ready or has ended. `printed` is its output so far, the first commands included. */
export async function startSluice(environment) {
  const child = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let printed = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      process.stdout.write(text);
      if (printed.includes('Sluice is ready') && /^python3 -c .*\n/m.test(printed)) resolve(true);
    });
  });
  const isReady = await Promise.race([ready, ended.then(() => false)]);
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  return { isReady, printed, stop };
}

/** Starts a shell whose variables last from block to block. `run` resolves with the exit status and the output of a block. */
export function startShell(environment) {
  const child = spawn('bash', ['--norc'], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let finish;
  const receive = (text) => {
    output += text;
    const end = /\n?--end of block (\d+)--\n/.exec(output);
    if (end === null) return;
    const printed = output.slice(0, end.index);
    output = output.slice(end.index + end[0].length);
    finish?.({ status: Number(end[1]), printed });
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', receive);
  child.once('close', () => finish?.({ status: 'the end of the shell', printed: output }));
  const run = (script) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), BLOCK_TIMEOUT_MS);
      finish = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      child.stdin.write(`{ ${script}\n} 2>&1\necho "\n--end of block $?--"\n`);
    });
  return { run, end: () => child.stdin.end() };
}

/** Returns the folder of a Python with the pinned libraries. All checkouts with the same pins share it. */
export function installPython() {
  const requirements = new URL('requirements.txt', import.meta.url).pathname;
  const pins = readFileSync(requirements, 'utf8');
  const folder = join(CACHE, `docs-python-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`);
  const installed = join(folder, 'installed.txt');
  const programs = join(folder, 'bin');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === pins) return programs;
  mkdirSync(CACHE, { recursive: true });
  const steps = [
    ['python3', ['-m', 'venv', '--clear', folder]],
    [join(programs, 'pip'), ['install', '--quiet', '--requirement', requirements]],
  ];
  for (const [file, args] of steps) {
    const { status } = spawnSync(file, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error('The examples need python3 with venv, and PyPI.');
  }
  writeFileSync(installed, pins);
  return programs;
}
