import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { until } from '@sluice/testkit';
import xterm from '@xterm/headless';
import { SLUICE } from './run-command.ts';

const WAIT_MS = 60_000;
/** Output of a process that has stopped arrives within this time. */
const QUIET_MS = 100;
/** Longer than the interval at which progress is drawn. */
const HELD_UP_MS = 300;

/** A pseudo terminal with a process, rendered by a real terminal emulator. */
export interface OpenTerminal extends Disposable {
  /** Lines on the screen, without spaces at their ends and without empty lines at the bottom. */
  readonly screen: () => readonly string[];
  /** All lines, with those that have scrolled off the screen. */
  readonly lines: () => readonly string[];
  /** Everything that was written, with its escape sequences. */
  readonly raw: () => string;
  /** Waits until the screen contains the text or matches the pattern. */
  readonly waitFor: (expected: string | RegExp) => Promise<void>;
  /** Types text or keys, such as `\u0003` for Ctrl-C. */
  readonly send: (keys: string) => void;
  /**
   * Changes the size of the window. The process is held up meanwhile, so that the terminal has drawn everything that it wrote for the size
   * before; then it learns of the new size as late as a busy computer makes it.
   */
  readonly resize: (columns: number, rows: number) => Promise<void>;
  readonly pid: number;
  /** Exit code, when the process ends. */
  readonly exitCode: Promise<number>;
}

interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Default: 80 x 24. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Runs `sluice` in a pseudo terminal. */
export const openTerminal = (words: readonly string[], options: TerminalOptions): OpenTerminal =>
  openProgram(process.execPath, [SLUICE, ...words], options);

/** Runs any program in a pseudo terminal. */
export function openProgram(program: string, words: readonly string[], options: TerminalOptions): OpenTerminal {
  const { columns = 80, rows = 24, env } = options;
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const child = spawn(program, [...words], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    cwd: env['HOME'] ?? '/',
    env: { TERM: 'xterm-256color', ...env },
  });
  let raw = '';
  let pending = Promise.resolve();
  child.onData((text) => {
    raw += text;
    pending = pending.then(() => new Promise((resolve) => screen.write(text, resolve)));
  });
  const exitCode = new Promise<number>((resolve) => {
    child.onExit(({ exitCode: code }) => void pending.then(() => resolve(code)));
  });
  const linesFrom = (first: number): readonly string[] => {
    const buffer = screen.buffer.active;
    const lines: string[] = [];
    for (let index = first; index < buffer.length; index++)
      lines.push(buffer.getLine(index)?.translateToString(true) ?? '');
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  };
  const visible = (): readonly string[] => linesFrom(screen.buffer.active.baseY);
  return {
    screen: visible,
    lines: () => linesFrom(0),
    raw: () => raw,
    waitFor: async (expected) => {
      const isShown = async (): Promise<true | undefined> => {
        await pending;
        const text = visible().join('\n');
        const isFound = typeof expected === 'string' ? text.includes(expected) : expected.test(text);
        return isFound ? true : undefined;
      };
      await until(isShown, { what: `${String(expected)} on the screen`, withinMs: WAIT_MS }).catch((error: Error) => {
        throw new Error(`${error.message} The screen is:\n${visible().join('\n')}`);
      });
    },
    send: (keys) => child.write(keys),
    resize: async (newColumns, newRows) => {
      process.kill(child.pid, 'SIGSTOP');
      const isDrawn = async (): Promise<true | undefined> => {
        const before = raw;
        await delay(QUIET_MS);
        await pending;
        return before === raw && /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))
          ? true
          : undefined;
      };
      await until(isDrawn, { what: 'the end of the output', withinMs: WAIT_MS });
      child.resize(newColumns, newRows);
      screen.resize(newColumns, newRows);
      await delay(HELD_UP_MS);
      process.kill(child.pid, 'SIGCONT');
    },
    pid: child.pid,
    exitCode,
    [Symbol.dispose]: () => {
      try {
        child.kill('SIGKILL');
      } catch {
        // It has ended.
      }
      screen.dispose();
    },
  };
}
