import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PART_PAUSE_MS = 400;

/** The built command line. `npm run build` makes it. */
export const SLUICE = fileURLToPath(new URL('../../../../packages/cli/dist/sluice.js', import.meta.url));

export interface CommandRun {
  readonly exitCode: number | null;
  /** Signal that ended the process, if one did. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text on stdin, which then ends. Default: none. */
  readonly stdin?: string;
  /** Input on stdin with pauses between them, instead of `stdin`. */
  readonly stdinParts?: readonly string[];
  /** Called with the process, to signal it or to read its output slowly. */
  readonly onStart?: (child: ChildProcessWithoutNullStreams) => void;
}

/** A producer that needs time for each part, also for the first. */
async function writeSlowly({ stdin }: ChildProcessWithoutNullStreams, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await delay(PART_PAUSE_MS);
    stdin.write(part);
  }
  stdin.end();
}

/** Runs `sluice` with pipes and waits for its end. */
export async function runSluice(words: readonly string[], options: CommandOptions): Promise<CommandRun> {
  const child = spawn(process.execPath, [SLUICE, ...words], {
    env: options.env,
    cwd: options.cwd ?? options.env['HOME'],
    stdio: 'pipe',
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  if (options.stdinParts === undefined) child.stdin.end(options.stdin ?? '');
  else void writeSlowly(child, options.stdinParts);
  options.onStart?.(child);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, ...texts }));
  });
}
