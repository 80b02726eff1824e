import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync, version } from '@swc/core';

const OPTIONS = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
  module: { type: 'es6' },
};
const CACHE = join(tmpdir(), `sluice-swc-${process.getuid?.() ?? 'user'}`);

mkdirSync(CACHE, { recursive: true });

/**
 * Returns the path of the JavaScript of a TypeScript file. Its key is the content alone, so that a new clone finds what another one compiled.
 */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const compiled = join(CACHE, `${keyOf(source)}.js`);
  if (!existsSync(compiled)) write(compiled, transformSync(source, OPTIONS).code);
  return compiled;
}

/** Returns the path of the source map of a TypeScript file, which contains its path. It is only made for stack traces. */
export function compileSourceMap(path) {
  const source = readFileSync(path, 'utf8');
  const map = join(CACHE, `${keyOf(`${path}\0${source}`)}.map`);
  if (!existsSync(map)) write(map, transformSync(source, { ...OPTIONS, filename: path, sourceMaps: true }).map);
  return map;
}

const keyOf = (content) =>
  createHash('sha1')
    .update(`${version}\0${JSON.stringify(OPTIONS)}\0${content}`)
    .digest('hex');

/** Workers compile the same files at the same time, so a file appears complete or not at all. */
function write(path, content) {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
