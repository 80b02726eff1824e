import type { Environment } from '../environment.ts';
import { findPager, type Pager, startPager } from './pager.ts';
import type { Terminal } from './terminal.ts';

/** Standard output as a place for tables: with a size and a pager if it is a terminal. */
export interface Screen {
  /** Columns of the window; undefined if stdout is not a terminal. */
  readonly columns: number | undefined;
  readonly rows: number;
  readonly hasPager: boolean;
  /** Sends what follows, and what was held back, to the pager. */
  readonly openPager: () => void;
  /** Writes text. With a pager, it is held back until it is longer than the screen. */
  readonly write: (text: string) => Promise<void>;
  /** Writes text at once, never to the pager. */
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
