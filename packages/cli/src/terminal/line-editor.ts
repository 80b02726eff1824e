import { createInterface } from 'node:readline';
import { addReverseSearch } from './reverse-search.ts';
import type { Terminal } from './terminal.ts';

/** Input of the user at a prompt. */
export type LineEvent =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D, or the end of the input. */
  | { readonly kind: 'end' };

export interface LineEditor {
  /** Shows a prompt and waits for a line. Lines that were pasted behind it come without a prompt of their own. */
  readonly read: (prompt: string) => Promise<LineEvent>;
  /** Gives the terminal away, to a pager or to Ctrl-C as a signal, until the next `read`. */
  readonly release: () => void;
  /** Replaces the last lines of the history by one entry. */
  readonly joinHistory: (lines: number, entry: string) => void;
  readonly close: () => void;
}

interface LineEditorOptions {
  /** Entries of the history, newest first. */
  readonly history: readonly string[];
  /** Completes the line up to the cursor. */
  readonly complete: (line: string) => Promise<readonly [words: readonly string[], begun: string]>;
}

const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' };
const HISTORY_MAX = 1000;

/** Edits lines on an interactive terminal, with history, its search, completion and pasted text of many lines. */
export function createLineEditor(terminal: Pick<Terminal, 'stdin'>, options: LineEditorOptions): LineEditor {
  const { stdin } = terminal;
  const { stdout } = process;
  const editor = createInterface({
    input: stdin,
    output: stdout,
    terminal: true,
    history: [...options.history],
    historySize: HISTORY_MAX,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, result: [string[], string]) => void) =>
      void options.complete(line).then(
        ([words, begun]) => done(null, [[...words], begun]),
        () => done(null, [[], line]),
      ),
  });
  addReverseSearch(editor);
  const events: LineEvent[] = [];
  let wake: (() => void) | undefined;
  const push = (event: LineEvent): void => {
    events.push(event);
    wake?.();
  };
  editor.on('line', (text) => push({ kind: 'line', text }));
  editor.on('SIGINT', () => push({ kind: 'interrupt' }));
  editor.on('close', () => push({ kind: 'end' }));
  // A tab that is pasted is a tab. The REPL of Node.js switches completion off in the same way.
  stdin.prependListener('keypress', (_text: unknown, key: { readonly name?: string } | undefined) => {
    if (key?.name === 'paste-start') Reflect.set(editor, 'isCompletionEnabled', false);
    if (key?.name === 'paste-end') Reflect.set(editor, 'isCompletionEnabled', true);
  });

  return {
    read: async (prompt) => {
      editor.setPrompt(prompt);
      if (events.length === 0) {
        stdin.setRawMode(true);
        stdout.write(BRACKETED_PASTE.on);
        editor.prompt();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      const event = events.shift() ?? { kind: 'end' };
      // The line that was begun is dropped, as shells do.
      if (event.kind === 'interrupt') {
        stdout.write('^C\n');
        Reflect.set(editor, 'line', '');
        Reflect.set(editor, 'cursor', 0);
      }
      return event;
    },
    release: () => {
      editor.pause();
      stdout.write(BRACKETED_PASTE.off);
      stdin.setRawMode(false);
    },
    joinHistory: (lines, entry) => {
      const history = Reflect.get(editor, 'history') as string[];
      // Blank lines and repetitions are not in the history, so only lines of this entry are removed.
      const parts = new Set(entry.split('\n'));
      for (let count = 0; count < lines && parts.has(history[0] ?? '\n'); count += 1) history.shift();
      if (history[0] !== entry) history.unshift(entry);
    },
    close: () => {
      editor.close();
      stdout.write(BRACKETED_PASTE.off);
    },
  };
}
