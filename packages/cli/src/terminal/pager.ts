import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../environment.ts';
import { CommandError, OutputClosedError } from '../errors.ts';

/** Characters that only a shell understands, as git decides it. */
const SHELL_SYNTAX = /[|&;<>()$`\\"'*?[#~=%\n]/;
/** Colours as they are, long lines not wrapped, the text stays on the screen; as git sets them where LESS is not set. */
const LESS_OPTIONS = 'RSX';
const DEFAULT_PAGER = 'less';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the command of the pager: PAGER, else `less` where it is installed. Undefined if there is none, or PAGER is empty or `cat`.
 */
export function findPager(environment: Environment): string | undefined {
  const chosen = environment['PAGER']?.trim();
  if (chosen === '' || chosen === 'cat') return undefined;
  if (chosen !== undefined) return chosen;
  const folders = (environment['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isProgram(join(folder, DEFAULT_PAGER))) ? DEFAULT_PAGER : undefined;
}

export interface Pager {
  /**
   * Writes text, and waits while the reader has not scrolled to it.
   * @throws OutputClosedError if the pager was closed
   */
  readonly write: (text: string) => Promise<void>;
  /** Ends the text and waits until the pager is closed. */
  readonly end: () => Promise<void>;
}

/**
 * Starts a pager on the terminal of the process.
 * @param onClosed - called when it ends before its text does
 */
export function startPager(command: string, environment: Environment, onClosed: () => void): Pager {
  const [program = '', ...words] = SHELL_SYNTAX.test(command) ? ['sh', '-c', command] : command.split(/\s+/);
  const child = spawn(program, words, {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: LESS_OPTIONS, LESSCHARSET: 'utf-8', LV: '-c', ...environment },
  });
  let [hasEnded, isClosed] = [false, false];
  let failure: CommandError | undefined;
  const closed = new Promise<void>((resolve) => {
    const close = (): void => {
      isClosed = true;
      if (!hasEnded) onClosed();
      resolve();
    };
    child.once('error', (cause) => {
      failure = new CommandError(`The pager ${command} could not be started. Set PAGER, or use --no-pager.`, { cause });
      close();
    });
    child.once('close', (code) => {
      // What a shell returns for a program that does not exist or cannot be run (POSIX, 2.8.2).
      if (code === 127 || code === 126)
        failure ??= new CommandError(`The pager ${command} could not be started. Set PAGER, or use --no-pager.`);
      close();
    });
  });
  // The pager must not outlive the process and keep the terminal.
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  child.stdin.on('error', () => undefined);
  return {
    write: async (text) => {
      if (failure !== undefined) throw failure;
      if (isClosed) throw new OutputClosedError('The pager was closed.');
      if (child.stdin.write(text)) return;
      const drained = new Promise<void>((resolve) => child.stdin.once('drain', resolve));
      await Promise.race([drained, closed]);
      if (failure !== undefined) throw failure;
      if (isClosed) throw new OutputClosedError('The pager was closed.');
    },
    end: async () => {
      hasEnded = true;
      child.stdin.end();
      await closed;
      process.off('exit', kill);
      if (failure !== undefined) throw failure;
    },
  };
}
