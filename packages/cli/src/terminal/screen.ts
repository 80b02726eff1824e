import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../environment.ts';
import { CommandError, OutputClosedError } from '../errors.ts';
import { splitCommand } from './program.ts';
import type { Terminal } from './terminal.ts';

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
function findPager(environment: Environment): string | undefined {
  const chosen = environment['PAGER']?.trim();
  if (chosen === '' || chosen === 'cat') return undefined;
  if (chosen !== undefined) return chosen;
  const folders = (environment['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isProgram(join(folder, DEFAULT_PAGER))) ? DEFAULT_PAGER : undefined;
}

interface Pager {
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
function startPager(command: string, environment: Environment, onClosed: () => void): Pager {
  const [program, ...words] = splitCommand(command);
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

/** Standard output as a target for tables: with a size and a pager if it is a terminal. */
export interface Screen {
  /** Columns of the window; undefined if stdout is not a terminal. */
  readonly columns: number | undefined;
  readonly rows: number;
  readonly hasPager: boolean;
  /** Sends what follows, and what was held back, to the pager. */
  readonly openPager: () => void;
  /** Writes text. With a pager, it is held back until it is longer than the screen. */
  readonly write: (text: string) => Promise<void>;
  /** Writes text immediately, never to the pager. */
  readonly show: (text: string) => Promise<void>;
  /** Keeps a sentence for stderr, for when the data is there. */
  readonly note: (text: string) => void;
  /** Writes what was held back, and waits until the pager is closed. Returns the notes. */
  readonly close: () => Promise<readonly string[]>;
}

interface ScreenOptions {
  readonly environment: Environment;
  /** False for `--no-pager`. */
  readonly mayPage: boolean;
  /** Called before the first output: a progress line must be gone by then. */
  readonly beforeOutput: () => Promise<void>;
  /** Called when the user closes the pager before the end. */
  readonly onPagerClosed: () => void;
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Creates the screen of a command. */
export function createScreen(terminal: Terminal, options: ScreenOptions): Screen {
  const { stdout, isInteractive } = terminal;
  const pagerCommand = isInteractive && options.mayPage ? findPager(options.environment) : undefined;
  const notes: string[] = [];
  let pager: Pager | undefined;
  let held = '';
  let heldLines = 0;
  let [wantsPager, hasBegun] = [false, false];

  const send = async (text: string): Promise<void> => {
    if (!hasBegun) {
      hasBegun = true;
      await options.beforeOutput();
      if (wantsPager && pagerCommand !== undefined)
        pager = startPager(pagerCommand, options.environment, options.onPagerClosed);
    }
    await (pager ?? stdout).write(text);
  };
  return {
    columns: stdout.isTerminal ? stdout.columns : undefined,
    rows: stdout.rows,
    hasPager: pagerCommand !== undefined,
    openPager: () => {
      wantsPager = true;
    },
    write: async (text) => {
      if (pagerCommand === undefined || hasBegun) return await send(text);
      held += text;
      heldLines += linesIn(text);
      if (heldLines >= stdout.rows - 1) wantsPager = true;
      if (!wantsPager) return;
      const all = held;
      held = '';
      await send(all);
    },
    show: send,
    note: (text) => {
      notes.push(text);
    },
    close: async () => {
      if (held !== '') await send(held);
      held = '';
      await pager?.end();
      return notes;
    },
  };
}
