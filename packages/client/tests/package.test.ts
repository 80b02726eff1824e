import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** An empty project in which the tarball is installed. It has no dependencies, so npm asks no registry. */
let project: string;
let tarball: string;
let installed: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sluice-project-'));
  const { stdout } = await run(process.execPath, [join(ROOT, 'packages', 'client', 'packing', 'pack.mjs'), project]);
  tarball = stdout.trim();
  await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
  installed = join(project, 'node_modules', '@sluice', 'client');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

const PROGRAM = `
import { createClient, IncompleteResultError, toBlob, type Receipt, type ResultDownload, type Row } from '@sluice/client';
const client = createClient({
  tenant: 'acme',
  streamUrl: 'http://127.0.0.1:1',
  apiUrl: 'http://127.0.0.1:1',
  auth: { clientId: 'a', clientSecret: 'b' },
  retries: 0,
});
export async function use(): Promise<readonly Row[]> {
  const receipt: Receipt = await client.stream.getQuery({ params: { id: 'x' } });
  const { data } = await client.api.listDomains({ query: { size: 5 } });
  const state: 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'CANCELLED' | 'UNKNOWN' = receipt.state;
  // @ts-expect-error: a parameter is missing
  client.stream.getQuery({}).catch(() => undefined);
  // @ts-expect-error: a field of the body is missing
  client.api.createDatamap({ body: {} }).catch(() => undefined);
  const blob: Blob = (await client.download({ format: 'csv', sql: state }, toBlob())).result;
  console.log(blob.size, data.length);
  const kept = client.result('x');
  const until: number = (await kept.facts()).expires_ts;
  const saved: ResultDownload<Blob> = await kept.download('parquet', toBlob(), { resumeAttempts: 1 });
  console.log(until, saved.sha256, (await kept.share([{ kind: 'role', name: 'analyst' }])).length);
  for await (const page of kept.rows({ rows: 'text', from: 1 })) console.log(page[0]?.[0]?.length);
  // @ts-expect-error: there is no such format
  kept.download('xls', toBlob()).catch(() => undefined);
  // @ts-expect-error: a share names its kind
  kept.share([{ name: 'analyst' }]).catch(() => undefined);
  // @ts-expect-error: a result that is followed cannot be cancelled
  await kept.follow().cancel();
  const rows: Row[] = [];
  for await (const row of client.query('SELECT 1', { keep: '1h', reuse: '15m' })) rows.push(row);
  return rows;
}
const failure: unknown = await Promise.resolve(client.query('SELECT 1').columns).catch((error: unknown) => error);
console.log(failure instanceof IncompleteResultError, (failure as Error).name);
`;

/** The same in CommonJS, which has no `await` outside of functions. */
const COMMON_JS_PROGRAM = `
import { createClient, IncompleteResultError, type Receipt, SluiceError } from '@sluice/client';
import node = require('@sluice/client/node');
interface Flight {
  readonly origin: string;
}
const client = createClient({
  tenant: 'acme',
  streamUrl: 'http://127.0.0.1:1',
  apiUrl: 'http://127.0.0.1:1',
  auth: { clientId: 'a', clientSecret: 'b' },
  retries: 0,
});
export async function use(): Promise<readonly Flight[]> {
  const receipt: Receipt = await client.awaitReceipt('x');
  const path: string = (await client.download({ format: 'csv', sql: receipt.state }, node.toFile('x.csv'))).result;
  for await (const { origin } of client.query<Flight>('SELECT 1')) console.log(origin.length, path);
  const flights: readonly Flight[] = await client.rows<Flight>('SELECT 1');
  // @ts-expect-error: another member
  console.log(flights.map(({ destination }) => destination));
  // @ts-expect-error: a size is a number
  client.history({ size: '5' });
  return await client.rows<Flight>('SELECT 1', { parameters: { since: new Date(0) } });
}
client.rows('SELECT 1').catch((error: unknown) => {
  console.log(error instanceof SluiceError, error instanceof IncompleteResultError, (error as Error).name);
});
`;

/** Compiles a program in the project and returns what the compiler prints. */
async function compile(options: Record<string, unknown>, name = 'program.ts', program = PROGRAM): Promise<string> {
  await writeFile(join(project, name), program);
  // Checks the declarations of the client, but not those of the compiler.
  const checks = { strict: true, skipLibCheck: false, skipDefaultLibCheck: true };
  const compilerOptions = { ...checks, target: 'es2022', outDir: 'out', ...options };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }));
  return await run(process.execPath, [TSC], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe('the packed client', () => {
  it('has exactly the modules of src with their declarations, README.md and LICENSE, and depends on nothing', async () => {
    const filesOf = async (folder: string) =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(relative(folder, entry.parentPath), entry.name));
    const sources = (await filesOf(join(ROOT, 'packages', 'client', 'src'))).filter(
      (name) => !name.endsWith('.test.ts'),
    );
    const modules = sources.flatMap((name) => ['.js', '.d.ts'].map((end) => join('dist', name.replace(/\.ts$/, end))));
    expect(modules.length).toBeGreaterThan(60);
    const declarations = modules.filter((name) => name.endsWith('.d.ts'));
    const commonJs = [
      'package.json',
      'index.js',
      'node/index.js',
      ...declarations.map((name) => relative('dist', name)),
    ];
    const expected = [
      ...['LICENSE', 'README.md', 'package.json', ...modules],
      ...commonJs.map((name) => join('dist', 'cjs', name)),
    ];
    expect((await filesOf(installed)).sort()).toEqual(expected.sort());
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true });
    expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
  });

  it('passes attw for ESM and CommonJS', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
    const problems = 'problems' in analysis ? analysis.problems : [{ kind: 'NoTypes' as const }];
    // `node10` does not know `exports`.
    const isKnown = (problem: object) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10';
    expect(problems.filter(isKnown)).toEqual([]);
  });

  it('compiles for a browser bundler, and its types reject wrong calls', async () => {
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    expect(await compile({ module: 'esnext', moduleResolution: 'bundler', lib, types: [] })).toBe('');
  });

  it('compiles for Node.js, with types that reject wrong calls, and runs there', async () => {
    const types = { types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] };
    expect(await compile({ module: 'nodenext', lib: ['es2022'], ...types })).toBe('');
    const { stdout } = await run(process.execPath, [join(project, 'out', 'program.js')]);
    expect(stdout.trim()).toBe('false ConnectionError');
  });

  it('compiles for CommonJS, and is the same package there', async () => {
    const types = { types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] };
    expect(await compile({ module: 'node16', lib: ['es2022'], ...types }, 'program.cts', COMMON_JS_PROGRAM)).toBe('');
    const { stdout, stderr } = await run(process.execPath, [join(project, 'out', 'program.cjs')]);
    expect({ stdout, stderr }).toEqual({ stdout: 'true false ConnectionError\n', stderr: '' });
    const both = `import { SluiceError } from '@sluice/client';
import { createRequire } from 'node:module';
console.log(createRequire(import.meta.url)('@sluice/client').SluiceError === SluiceError);`;
    await writeFile(join(project, 'both.js'), both);
    expect((await run(process.execPath, ['both.js'], { cwd: project })).stdout).toBe('true\n');
  });

  it('imports modules of Node.js in dist/node only', async () => {
    const names = (await readdir(join(installed, 'dist'), { recursive: true })).filter(
      (name) => name.endsWith('.js') && !name.startsWith('cjs/'),
    );
    for (const name of names) {
      const text = await readFile(join(installed, 'dist', name), 'utf8');
      expect({ name, importsNode: /from ['"]node:/.test(text) }).toEqual({
        name,
        importsNode: name.startsWith('node/') && name !== 'node/index.js',
      });
    }
  });
});
