import { ResponseError } from '@sluice/client';
import type { CommandContext, Connection } from '../context.ts';
import { CancelledError, NotLoggedInError } from '../errors.ts';
import { reportError } from '../output/report-error.ts';
import { renderTable } from '../output/table.ts';
import { runStatement } from '../statement/run-statement.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseFormat, type ShellOptions, type ShellState, type ShortcutContext } from './shell-state.ts';
import { isShortcut, runShortcut } from './shortcuts.ts';
import { isBlank, splitStatement } from './split-statement.ts';

const isLoginOver = (error: unknown): boolean =>
  error instanceof NotLoggedInError || (error instanceof ResponseError && error.status === 401);

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
  /** Runs what is left without a semicolon. */
  readonly finish: () => Promise<void>;
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
    file: undefined,
    draft: '',
    last: undefined,
    isOver: false,
  };
  let connection: Promise<Connection> | undefined;
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
  const run = async (sql: string): Promise<void> => {
    state.last = sql;
    const { client } = await connect();
    const output = getOutput();
    await cancellable((signal) =>
      runStatement(
        { terminal: output, environment, signal, client },
        { sql, timeZone: options.timeZone },
        {
          format: chooseFormat(state, terminal.stdout.isTerminal),
          nullText: options.nullText,
          cellWidthMax: options.cellWidthMax,
          mayPage: options.mayPage,
          showsSummary: true,
          showsTime: state.hasTiming,
        },
      ),
    );
  };
  const shortcut = (line: string): Promise<void> => {
    const base: Omit<ShortcutContext, 'signal'> = {
      state,
      stderr,
      connect,
      run,
      printTable: async (titles, rows) => {
        const { stdout } = getOutput();
        const columns = titles.map((title, index) => ({
          title,
          isRight: index > 0 && /^[\d,]+$/.test(rows[0]?.[index] ?? ''),
        }));
        const width = stdout.isTerminal ? { width: stdout.columns } : {};
        await stdout.write(renderTable(columns, rows, { ...width, hasColor: stdout.hasColor }));
      },
    };
    return cancellable((signal) => runShortcut({ ...base, signal }, line));
  };

  // No statement has a backslash outside of strings, names, comments and dollar quotes.
  const isShortcutNow = (line: string): boolean => isShortcut(line) && splitStatement(state.draft).open === 'text';

  return {
    state,
    connect,
    isShortcut: isShortcutNow,
    take: async (line, onFailure = rethrow) => {
      if (isShortcutNow(line)) return await shortcut(line).catch(onFailure);
      state.draft += `${line}\n`;
      for (;;) {
        const { statement, rest } = splitStatement(state.draft);
        if (statement === undefined) break;
        state.draft = rest;
        if (!isBlank(statement)) await run(statement.trim()).catch(onFailure);
      }
      if (isBlank(state.draft)) state.draft = '';
    },
    finish: async () => {
      const { draft } = state;
      state.draft = '';
      if (!isBlank(draft)) await run(draft.trim());
    },
    report: async (error) => {
      if (!isLoginOver(error)) return await reportError(stderr, error);
      connection = undefined;
      await stderr.write(
        'Your login has ended. Run `sluice login` in another terminal, then \\g runs the statement again.\n',
      );
    },
    close: async () => {
      await state.file?.close();
    },
  };
}
