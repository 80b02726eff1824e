import { ResponseError, SluiceError } from '@sluice/client';
import type { CommandContext, Connection } from '../context.ts';
import { CancelledError, NotLoggedInError, UsageError } from '../errors.ts';
import { type DefaultSchema, readDefaultSchema } from '../names/resolve-table.ts';
import { createResultWriter } from '../output/format-list.ts';
import { inOneLine } from '../output/print-list.ts';
import { noteShell, reportError } from '../output/report-error.ts';
import { runStatement } from '../statement/run-statement.ts';
import { createScreen } from '../terminal/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { parametersOf } from './set-parameter.ts';
import { chooseFormat, type ShellOptions, type ShellState, type ShortcutContext } from './shell-state.ts';
import { isShortcut, isWord, runShortcut } from './shortcuts.ts';
import { isBlank, splitStatement } from './split-statement.ts';

const isLoginOver = (error: unknown): boolean =>
  error instanceof NotLoggedInError || (error instanceof ResponseError && error.status === 401);

/** Files that include each other would go on for ever. */
const DEPTH_MAX = 16;

const rethrow = (error: unknown): Promise<never> => Promise.reject(error);

/** Statements and shortcuts, line by line. How lines are read is not its matter. */
export interface Shell {
  readonly state: ShellState;
  /** Returns whether `take` would run a line as a shortcut, also within a statement that is not complete. */
  readonly isShortcut: (line: string) => boolean;
  /**
   * Takes a line, and runs what it completes.
   * @param onFailure - called with what a statement throws, before the next one of the line runs. Default: it is thrown
   */
  readonly take: (line: string, onFailure?: (error: unknown) => Promise<void>) => Promise<void>;
  /**
   * Takes lines and runs what is left without a semicolon. Stops at the first failure and names the line.
   * @param name - name of the input, for the message
   */
  readonly takeLines: (lines: Iterable<string> | AsyncIterable<string>, name: string) => Promise<void>;
  /** Reports an error of `take`, and what to do. */
  readonly report: (error: unknown) => Promise<void>;
  readonly connect: () => Promise<Connection>;
  readonly close: () => Promise<void>;
}

type ShellContext = Pick<CommandContext, 'terminal' | 'environment' | 'signal' | 'connect' | 'interceptInterrupts'>;

/** Creates a shell. `isVertical`, timing and the output are at their defaults. */
export function createShell(context: ShellContext, options: ShellOptions, format: ShellState['format']): Shell {
  const { terminal, environment } = context;
  const { stderr } = terminal;
  const state: ShellState = {
    format,
    isVertical: false,
    hasTiming: true,
    keep: undefined,
    file: undefined,
    draft: '',
    parameters: new Map(),
    last: undefined,
    edited: undefined,
    isOver: false,
  };
  let connection: Promise<Connection> | undefined;
  let defaults: DefaultSchema | undefined;
  let depth = 0;
  const connect = async (): Promise<Connection> => {
    connection ??= context.connect();
    try {
      return await connection;
    } catch (error) {
      connection = undefined;
      throw error;
    }
  };
  const getOutput = (): Terminal =>
    state.file === undefined ? terminal : { ...terminal, stdout: state.file, isInteractive: false };

  /** Runs work that Ctrl-C cancels, without ending the shell. */
  const cancellable = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const stop = new AbortController();
    const restore = context.interceptInterrupts(() => stop.abort(new CancelledError('Cancelled.')));
    try {
      await work(AbortSignal.any([context.signal, stop.signal]));
    } catch (error) {
      // What an aborted request throws says less than why it was aborted.
      throw stop.signal.aborted && !(error instanceof CancelledError) ? stop.signal.reason : error;
    } finally {
      restore();
    }
  };
  const printOptions = () => ({
    format: chooseFormat(state, terminal.stdout.isTerminal),
    nullText: options.nullText,
    cellWidthMax: options.cellWidthMax,
  });
  const run = async (sql: string): Promise<void> => {
    state.last = sql;
    const { client } = await connect();
    const output = getOutput();
    const parameters = parametersOf(state, sql);
    const running = cancellable((signal) =>
      runStatement(
        { terminal: output, environment, signal, client },
        {
          sql,
          parameters,
          timeZone: options.timeZone,
          catalog: options.catalog,
          schema: options.schema,
          keep: state.keep,
        },
        {
          ...printOptions(),
          mayPage: options.mayPage,
          showsSummary: true,
          showsTime: state.hasTiming,
        },
      ),
    );
    await running.catch((error: unknown) => {
      noteShell(error);
      throw error;
    });
  };
  const printList: ShortcutContext['printList'] = async (titles, rows) => {
    const output = getOutput();
    const screen = createScreen(output, {
      environment,
      mayPage: options.mayPage,
      beforeOutput: async () => undefined,
      onPagerClosed: () => undefined,
    });
    const writer = createResultWriter(printOptions(), output.stdout, screen);
    const typeOf = (index: number): string => (typeof rows[0]?.[index] === 'number' ? 'bigint' : 'varchar');
    await writer.begin(titles.map((name, index) => ({ name, type: typeOf(index) })));
    // A description of several lines is one cell.
    const isTable = printOptions().format === 'table';
    const textOf = (cell: string | number) => (isTable && typeof cell === 'string' ? inOneLine(cell) : cell);
    await writer.write(rows.map((row) => row.map((cell) => JSON.stringify(textOf(cell)))));
    await writer.end(true);
    for (const note of await screen.close()) await stderr.write(`${note}\n`);
  };
  const readDefaults = async (): Promise<DefaultSchema | undefined> => {
    const { client } = await connect();
    // They do not change while a host runs, and each question is a statement in the history.
    defaults ??= await readDefaultSchema(client, context.signal);
    return defaults;
  };

  // No statement has a backslash outside of strings, names, comments and dollar quotes.
  const isShortcutNow = (line: string): boolean =>
    (isShortcut(line) && splitStatement(state.draft).open === 'text') || (state.draft === '' && isWord(line));

  const take: Shell['take'] = async (line, onFailure = rethrow) => {
    if (isShortcutNow(line)) return await shortcut(line).catch(onFailure);
    state.draft += `${line}\n`;
    for (;;) {
      const { statement, rest } = splitStatement(state.draft);
      if (statement === undefined) break;
      state.draft = rest;
      if (!isBlank(statement)) await run(statement.trim()).catch(onFailure);
    }
    if (isBlank(state.draft)) state.draft = '';
  };
  const takeLines: Shell['takeLines'] = async (lines, name) => {
    let count = 0;
    try {
      for await (const line of lines) {
        count += 1;
        await take(line);
        if (state.isOver) return;
      }
      context.signal.throwIfAborted();
      const { draft } = state;
      state.draft = '';
      if (!isBlank(draft)) await run(draft.trim());
    } catch (error) {
      // The position of an error is within its statement.
      if (error instanceof SluiceError || error instanceof UsageError)
        await stderr.write(`Stopped in line ${count} of ${name}, where this statement ends:\n`);
      throw error;
    }
  };
  /** Takes the lines of a file, beside a statement that was begun. */
  const takeFile: ShortcutContext['takeLines'] = async (lines, name) => {
    if (depth >= DEPTH_MAX)
      throw new UsageError(`${name} is included more than ${DEPTH_MAX} files deep. Does it include itself?`);
    const begun = state.draft;
    state.draft = '';
    depth += 1;
    try {
      await takeLines(lines, name);
    } finally {
      depth -= 1;
      state.draft = begun;
    }
  };
  const report: Shell['report'] = async (error) => {
    if (!isLoginOver(error)) return await reportError(stderr, error);
    connection = undefined;
    await stderr.write(
      'Your login has ended. Run `sluice login` in another terminal, then \\g runs the statement again.\n',
    );
  };
  const shortcut = (line: string): Promise<void> => {
    const base: Omit<ShortcutContext, 'signal'> = {
      state,
      stderr,
      environment,
      isInteractive: terminal.isInteractive,
      connect,
      run,
      take: (text) => take(text, report),
      takeLines: takeFile,
      printList,
      readDefaults,
    };
    return cancellable((signal) => runShortcut({ ...base, signal }, line));
  };

  return {
    state,
    connect,
    isShortcut: isShortcutNow,
    take,
    takeLines,
    report,
    close: async () => {
      await state.file?.close();
    },
  };
}
