import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CommandContext } from '../context.ts';
import { createLineEditor, type LineEditor } from '../terminal/line-editor.ts';
import { createCatalogNames } from './catalog-names.ts';
import { completeSql } from './complete-sql.ts';
import { type HistoryFile, openHistoryFile, stateFolder } from './history-file.ts';
import type { Shell } from './shell.ts';
import { isWord } from './shortcuts.ts';
import { type OpenPart, splitStatement } from './split-statement.ts';

/** Longest wait of the Tab key for names that are not loaded. They are there at the next Tab. */
const COMPLETION_MS = 150;

/** Last character of the prompt within an unfinished statement, as in psql. */
const MARKS: Readonly<Record<OpenPart, string>> = {
  text: '-',
  string: "'",
  name: '"',
  comment: '*',
  'dollar quote': '$',
};

function formatPrompt(tenant: string, draft: string): string {
  return `${tenant}${draft === '' ? '=' : MARKS[splitStatement(draft).open]}> `;
}

/** Reads the history. A shell without one is better than none. */
async function readHistory(file: HistoryFile, context: CommandContext): Promise<readonly string[]> {
  try {
    return await file.read();
  } catch (error) {
    await context.terminal.stderr.write(`The history is not used: ${(error as Error).message}\n`);
    return [];
  }
}

interface TypedLine {
  readonly text: string;
  readonly isShortcut: boolean;
}

/** Remembers a statement of several lines as one entry, without the shortcuts that were typed within it. */
function createRecorder(editor: LineEditor, file: HistoryFile, onFailure: (error: unknown) => void) {
  let saved: Promise<unknown> = Promise.resolve();
  const record = (typed: readonly TypedLine[]): void => {
    const kept = typed.length === 1 ? typed : typed.filter(({ isShortcut }) => !isShortcut);
    const text = kept.map((line) => line.text).join('\n');
    if (text.trim() === '') return;
    // Also what an editor has returned, which was not typed.
    editor.joinHistory(typed.length, text);
    saved = Promise.all([saved, file.add(text).catch(onFailure)]);
  };
  return { record, saved: () => saved };
}

/**
 * Reads and runs statements at a prompt until Ctrl-D or `\q`. Errors do not end it.
 * @throws the reason of the signal when the process is to end
 */
export async function readAtPrompt(context: CommandContext, shell: Shell): Promise<void> {
  const { terminal, signal } = context;
  const { tenant } = await shell.connect();
  const names = createCatalogNames(shell.connect, signal);
  const file = openHistoryFile(join(stateFolder(context.environment), 'history'));
  const editor = createLineEditor(terminal, {
    history: await readHistory(file, context),
    complete: async (line) => {
      names.forgetMissing();
      const complete = () => completeSql(names, shell.state.draft, line);
      if (complete()[0].length > 0) return complete();
      await Promise.race([names.settled(), new Promise((resolve) => setTimeout(resolve, COMPLETION_MS))]);
      return complete();
    },
  });
  let hasWarned = false;
  const { record, saved } = createRecorder(editor, file, (error) => {
    if (!hasWarned) void terminal.stderr.write(`The history is not kept: ${(error as Error).message}\n`);
    hasWarned = true;
  });
  const stop = (): void => editor.close();
  signal.addEventListener('abort', stop, { once: true });
  await terminal.stderr.write('Statements end with ;  help lists shortcuts, exit or Ctrl-D leaves.\n');
  let typed: TypedLine[] = [];
  try {
    while (!shell.state.isOver) {
      const event = await editor.read(formatPrompt(tenant, shell.state.draft));
      signal.throwIfAborted();
      if (event.kind === 'end') break;
      if (event.kind === 'interrupt') {
        typed = [];
        shell.state.draft = '';
        continue;
      }
      typed.push({ text: event.text, isShortcut: shell.isShortcut(event.text) });
      editor.release();
      await shell.take(event.text, shell.report);
      signal.throwIfAborted();
      const { edited, draft } = shell.state;
      shell.state.edited = undefined;
      if (edited !== undefined) typed = [{ text: edited, isShortcut: false }];
      if (draft !== '') {
        if (isWord(event.text))
          await terminal.stderr.write('This is a part of the statement. \\q leaves; Ctrl-C drops it.\n');
        continue;
      }
      record(typed);
      typed = [];
    }
  } finally {
    signal.removeEventListener('abort', stop);
    editor.close();
    // The process ends after it.
    await saved();
    await terminal.stderr.write('\n');
  }
}

/**
 * Runs the statements of a pipe or file as they arrive, and stops at the first failure.
 * @throws what the statement throws
 */
export async function readFromPipe({ terminal, signal }: CommandContext, shell: Shell): Promise<void> {
  const lines = createInterface({ input: terminal.stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = (): void => lines.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await shell.takeLines(lines, 'the input');
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
