import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync, version } from '@swc/core';

const OPTIONS = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
  module: { type: 'es6' },
  sourceMaps: true,
};
const CACHE = join(tmpdir(), `sluice-swc-${process.getuid?.() ?? 'user'}`);

mkdirSync(CACHE, { recursive: true });

/** Returns the path of the JavaScript of a TypeScript file. Its source map is beside it (`sourceMapPath`). */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const key = createHash('sha1')
    .update(`${version}\0${JSON.stringify(OPTIONS)}\0${path}\0${source}`)
    .digest('hex');
  const compiled = join(CACHE, `${key}.js`);
  if (existsSync(compiled)) return compiled;
  const { code, map } = transformSync(source, { ...OPTIONS, filename: path });
  write(sourceMapPath(compiled), map);
  write(compiled, code);
  return compiled;
}

export const sourceMapPath = (compiled) => `${compiled}.map`;

/** Workers compile the same files at the same time, so a file appears complete or not at all. */
function write(path, content) {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
