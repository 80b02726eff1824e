import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { build, type Metafile } from 'esbuild';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
/** Parses the command line. */
const NEEDED = 'commander';

let inputs: Metafile['inputs'];
beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: ['src/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    metafile: true,
    write: false,
  });
  ({ inputs } = metafile);
});

/** Returns the libraries that are loaded together with a file. */
function librariesOf(entry: string): readonly string[] {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind } of inputs[file]?.imports ?? []) if (kind !== 'dynamic-import') loaded.add(path);
  const names = [...loaded].map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

it('loads no library at the start but the one that parses the command line', () => {
  expect(librariesOf('src/main.ts')).toEqual([NEEDED]);
});

it('loads no library for the help of a command', () => {
  const commands = Object.keys(inputs).filter((file) => file.startsWith('src/commands/'));
  expect(commands.length).toBeGreaterThan(20);
  const loading = commands.filter((file) => librariesOf(file).length > 0);
  expect(loading).toEqual([]);
});
