/** Runs the steps of an installation and build, and shows their progress. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TICK_MS = 1000;
/** Moves to the start of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/**
 * Prints a title and runs `work`. In a terminal, a counter below the title shows for how many seconds it runs.
 * @param output - standard output by default
 */
export async function withProgress(title, work, output = process.stdout) {
  output.write(`${title}\n`);
  if (output.isTTY !== true) return work();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    output.write(`${ERASE_LINE}  ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    output.write(ERASE_LINE);
  }
}

/** Runs a command. If it fails, prints its output and throws the sentence. */
export async function runCommand(command, args, { cwd, sentence }) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npx is a .cmd file, which only a shell can start.
    shell: process.platform === 'win32' && command === 'npx',
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [code, signal] = await once(child, 'close').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`\`${command}\` is not on the PATH. It is part of npm, which comes with Node.js.`);
  });
  if (signal !== null) throw new Error('Stopped.');
  if (code === 0) return;
  process.stderr.write(`\n${Buffer.concat(chunks)}`);
  throw new Error(sentence);
}
