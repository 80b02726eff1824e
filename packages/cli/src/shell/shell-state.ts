import { open } from 'node:fs/promises';
import type { ParameterValue } from '@sluice/client';
import type { Connection } from '../context.ts';
import type { Environment } from '../environment.ts';
import { CommandError } from '../errors.ts';
import type { DefaultSchema } from '../names/resolve-table.ts';
import type { ResultFormat } from '../output/format-names.ts';
import type { Output } from '../terminal/terminal.ts';

/** A file that results are written to. */
interface FileOutput extends Output {
  readonly path: string;
  readonly close: () => Promise<void>;
}

const codeOf = (error: unknown): string => String(error instanceof Error ? Reflect.get(error, 'code') : error);

/**
 * Creates a file for results. A file that exists is not touched.
 * @throws CommandError if it exists or cannot be created
 */
export async function createFileOutput(path: string): Promise<FileOutput> {
  const file = await open(path, 'wx').catch((cause: unknown) => {
    const reason = codeOf(cause) === 'EEXIST' ? 'exists' : `cannot be created (${codeOf(cause)})`;
    throw new CommandError(`${path} ${reason}. Choose another name.`, { cause });
  });
  return {
    path,
    isTerminal: false,
    isFile: true,
    hasColor: false,
    columns: 80,
    rows: 24,
    write: async (data) => {
      await file.writeFile(data).catch((cause: unknown) => {
        throw new CommandError(`${path} cannot be written (${codeOf(cause)}). Check the free space.`, { cause });
      });
    },
    close: async () => await file.close(),
  };
}

/** A parameter of `\set`. */
interface SetParameter {
  /** Type as it was named; empty if the value shows it. */
  readonly type: string;
  /** Value as it was written. */
  readonly text: string;
  readonly value: ParameterValue;
}

/** State of a shell, which shortcuts change between statements. */
export interface ShellState {
  /** Format of results; undefined: table on a terminal, else CSV. */
  format: ResultFormat | undefined;
  /** `\x`: records instead of tables. */
  isVertical: boolean;
  /** `\timing`: the time of each statement. */
  hasTiming: boolean;
  /** `\keep TIME`: time for which results are kept, such as `24h`. Undefined: they are not. */
  keep: string | undefined;
  /** `\o FILE`: file that receives the results. Undefined: the terminal. */
  file: FileOutput | undefined;
  /** Values of `\set` by the names of their parameters. */
  readonly parameters: Map<string, SetParameter>;
  /** Lines of the statement that is not complete. */
  draft: string;
  /** The statement that ran last, for `\g`. */
  last: string | undefined;
  /** Text that `\e` has returned, for the history. */
  edited: string | undefined;
  isOver: boolean;
}

/** Settings of the command that do not change. */
export interface ShellOptions {
  readonly nullText: string | undefined;
  readonly cellWidthMax: number;
  readonly mayPage: boolean;
  readonly timeZone: string | undefined;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

/** Operations and state that a shortcut may use. */
export interface ShortcutContext {
  readonly state: ShellState;
  readonly stderr: Output;
  readonly connect: () => Promise<Connection>;
  /** Runs a statement and prints its result. */
  readonly run: (sql: string) => Promise<void>;
  /** Takes text as if it were typed. Reports what fails. */
  readonly take: (text: string) => Promise<void>;
  /** Takes the lines of a file, and stops at the first failure. */
  readonly takeLines: (lines: Iterable<string>, name: string) => Promise<void>;
  /** Prints a list in the format of results. */
  readonly printList: (titles: readonly string[], rows: readonly (readonly (string | number)[])[]) => Promise<void>;
  readonly readDefaults: () => Promise<DefaultSchema | undefined>;
  readonly environment: Environment;
  readonly isInteractive: boolean;
  readonly signal: AbortSignal;
}

/** Format of the next result. */
export function chooseFormat(state: ShellState, isTerminal: boolean): ResultFormat {
  if (state.isVertical) return 'vertical';
  return state.format ?? (isTerminal && state.file === undefined ? 'table' : 'csv');
}
