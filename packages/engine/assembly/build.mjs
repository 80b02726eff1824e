/**
 * Compiles the row writer (AssemblyScript) to dist/writer.wasm, unless that file is newer than all sources. The result is never
 * committed.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = fileURLToPath(new URL('../dist/writer.wasm', import.meta.url));

const OPTIONS = [
  ['-O3', '--noAssert'],
  ['--runtime', 'stub'],
  ['--enable', 'simd'],
  // The host sets the size of a memory, and it never grows. Its first 64 KiB are the module's tables.
  ['--importMemory', '--initialMemory', '256', '--maximumMemory', '32767', '--memoryBase', '65536'],
  ['--use', 'abort='],
].flat();

function timeOf(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

const sources = readdirSync(FOLDER).map((name) => join(FOLDER, name));
if (timeOf(OUTPUT) <= Math.max(...sources.map(timeOf))) {
  // Loaded only here: the compiler takes half a second to load.
  const { default: asc } = await import('assemblyscript/asc');
  mkdirSync(fileURLToPath(new URL('../dist', import.meta.url)), { recursive: true });
  const { error, stderr } = await asc.main([join(FOLDER, 'rows.ts'), '--outFile', OUTPUT, ...OPTIONS]);
  if (error !== null) {
    process.stderr.write(`${stderr}\nThe row writer does not compile: ${error.message}\n`);
    process.exitCode = 1;
  }
}
