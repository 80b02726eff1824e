import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';

const run = (file, args) => spawnSync(file, args, { stdio: 'inherit' }).status === 0;

/**
 * Returns the folder of the programs of a virtual environment with pinned packages. All checkouts share it, and it is recreated when a
 * pin changes.
 * @param name - folder in the cache
 * @param requirements - file of pins, in pip's format
 * @param python - interpreter
 */
export function installPythonTools(name, requirements, python = 'python3') {
  const pins = readFileSync(requirements, 'utf8');
  const folder = join(CACHE, name);
  const programs = join(folder, 'bin');
  const installed = join(folder, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === pins) return programs;
  mkdirSync(CACHE, { recursive: true });
  const isMade =
    run(python, ['-m', 'venv', '--clear', folder]) &&
    run(join(programs, 'pip'), ['install', '--quiet', '--requirement', requirements]);
  if (!isMade) throw new Error(`${name} cannot be installed: it needs ${python} (3.10 or later) with venv, and PyPI.`);
  writeFileSync(installed, pins);
  return programs;
}
