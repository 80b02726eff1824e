import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An empty project in which the tarballs are installed. They have no dependencies, so npm asks no registry. */
let project: string;
let installed: string;
let tarballs: readonly string[];
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sluice-project-'));
  // What `npm run pack` runs when everything is built.
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, 'deploy', 'bundles', 'pack-all.mjs'), join(project, 'packed')],
    {
      cwd: project,
    },
  );
  // The wheel for Python is packed too.
  tarballs = stdout.split('\n').filter((path) => path.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project });
  installed = join(project, 'node_modules', '@sluice', 'cli');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

/** A registry of a team, as npm uses it: it keeps what is published. */
async function startRegistry(): Promise<{ readonly server: Server; readonly url: string }> {
  const packages = new Map<string, { readonly _attachments: Readonly<Record<string, { readonly data: string }>> }>();
  const server = createServer(async (request, response) => {
    const [path = '', file] = decodeURIComponent(request.url ?? '').split('/-/');
    if (request.method === 'PUT') {
      packages.set(path, JSON.parse(await text(request)));
      response.writeHead(201).end('{}');
      return;
    }
    const found = packages.get(path);
    if (found === undefined) response.writeHead(404).end('{}');
    else if (file === undefined) response.end(JSON.stringify(found));
    else response.end(Buffer.from(found._attachments[file]?.data ?? '', 'base64'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('both packages are published to a registry and installed from it', async () => {
  const { server, url } = await startRegistry();
  try {
    const cwd = join(project, 'elsewhere');
    await mkdir(cwd);
    await writeFile(join(cwd, 'package.json'), '{ "name": "elsewhere", "private": true, "type": "module" }');
    await writeFile(join(cwd, '.npmrc'), `registry=${url}\n${url.replace('http:', '')}/:_authToken=of-the-team\n`);
    for (const tarball of tarballs) await run('npm', ['publish', join(project, tarball)], { cwd });
    await run('npm', ['install', '--no-audit', '--no-fund', '@sluice/cli', '@sluice/client'], { cwd });
    const { stdout } = await run(join(cwd, 'node_modules', '.bin', 'sluice'), ['--version'], { cwd });
    const program = "import { createClient } from '@sluice/client'; console.log(typeof createClient);";
    const used = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd });
    expect([stdout, used.stdout]).toEqual(['0.1.0\n', 'function\n']);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}, 120_000);

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
