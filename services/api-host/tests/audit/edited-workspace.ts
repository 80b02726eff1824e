import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);

/** Folders and files that the script needs; everything else of the repository is left out, so that the copy builds in seconds. */
const PACKAGES = ['contract', 'encoders', 'audit', 'store'];
const HOST = 'services/api-host';
const HOST_FILES = ['audit-export-rows.ts', 'seal-audit-log.ts', 'verify-audit-log.ts'].map(
  (file) => `src/use-cases/audit/${file}`,
);

const TSCONFIG = {
  extends: '../../tsconfig.base.json',
  compilerOptions: { rootDir: '.', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
  include: ['src', 'tests'],
  references: PACKAGES.map((name) => ({ path: `../../packages/${name}` })),
};

/** Text that is inserted into a file. */
export interface Edit {
  readonly file: string;
  /** Place in the file, which must be there. */
  readonly before: RegExp;
  readonly insert: string;
}

export interface EditedWorkspace extends AsyncDisposable {
  /** Runs the script with one argument and returns its standard output. */
  runScript(argument: string): Promise<string>;
}

/** Copies what `script` needs into a temporary folder, edits the copy, and type-checks and builds it. */
export async function createEditedWorkspace(
  edits: readonly Edit[],
  scripts: readonly string[],
): Promise<EditedWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-edited-'));
  const copy = (path: string) =>
    // Times are kept, so that the compiler sees what is built already; links stay relative, so that they name the copy.
    cp(join(ROOT, path), join(folder, path), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const own = ['package.json', 'node_modules', ...HOST_FILES, ...scripts.map((script) => `tests/audit/${script}`)];
  await copy('tsconfig.base.json');
  for (const name of PACKAGES) await copy(`packages/${name}`);
  for (const file of own) await copy(`${HOST}/${file}`);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, HOST, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const { file, before, insert } of edits) {
    const text = await readFile(join(folder, file), 'utf8');
    if (!before.test(text)) throw new Error(`${file} does not have ${before}.`);
    await writeFile(
      join(folder, file),
      text.replace(before, (place) => `${insert}${place}`),
    );
  }
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  // The compiler reports to standard output.
  await run(process.execPath, [compiler, '--build', HOST], { cwd: folder }).catch((thrown) => {
    throw new Error(thrown.stdout, { cause: thrown });
  });
  const [main = ''] = scripts;
  return {
    async runScript(argument) {
      const script = join(folder, HOST, 'dist/tests/audit', main.replace(/ts$/, 'js'));
      return (await run(process.execPath, [script, argument], { cwd: folder })).stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
