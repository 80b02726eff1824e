import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An empty project in which the tarball is installed. It has no dependencies, so npm asks no registry. */
let project: string;
let installed: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sluice-project-'));
  const { stdout } = await run(process.execPath, [join(ROOT, 'packages', 'cli', 'packing', 'pack.mjs'), project]);
  await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: project });
  installed = join(project, 'node_modules', '@sluice', 'cli');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the packed command line', () => {
  it('has the bundle, licences and README.md, and depends on nothing', async () => {
    const names = await readdir(installed, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.map((path) => path.slice(installed.length + 1)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/sluice.js',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  });

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true });
    expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
  });

  it('runs as `npx sluice` in the project', async () => {
    const { stdout, stderr } = await run('npx', ['--no', '--', 'sluice', '--version'], { cwd: project });
    // npm warns of settings of the user that it does not know.
    const own = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
    expect({ stdout, own }).toEqual({ stdout: '0.1.0\n', own: [] });
  });

  it('carries the licence text of every package that is part of the bundle', async () => {
    const text = await readFile(join(installed, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'packages', 'cli', 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@sluice/'));
    expect(libraries.length).toBeGreaterThan(0);
    for (const name of libraries) expect(text).toMatch(new RegExp(`^## ${name} - \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
    expect(text).toContain('Permission is hereby granted, free of charge');
  });
});
