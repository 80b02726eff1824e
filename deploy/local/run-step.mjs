/** Runs the steps of an installation and build, and shows their progress. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TICK_MS = 1000;
/** Terminals wrap longer lines, and a carriage return would go to the start of the last part only. */
const LINE_CHARACTERS_MAX = 79;

/**
 * Runs `work` under a title. In a terminal the line has a counter of seconds until the work is done; elsewhere the title is printed once.
 * @param options.output - standard output by default
 */
export async function withProgress(title, work, output = process.stdout) {
  if (output.isTTY !== true) {
    output.write(`${title}\n`);
    return work();
  }
  const startedAt = performance.now();
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    output.write(`\r${`${title} ${seconds} s`.slice(0, LINE_CHARACTERS_MAX)}`);
  };
  show();
  const timer = setInterval(show, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    show();
    output.write('\n');
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
