import type { ChildProcess } from 'node:child_process';
import type { CuttingProxy } from '@sluice/testkit';

/** A command whose result one fault damages. */
export interface FaultTarget {
  /** Such as `download csv`. */
  readonly name: string;
  /** Words of the command without its output. `marker` makes the statement unique. */
  readonly words: (marker: string) => readonly string[];
  /** Path of the request whose response carries the file. */
  readonly path: string;
  /** Whether the same statement has the same bytes each time. */
  readonly isStable: boolean;
  /** Whole file of an undamaged download. */
  readonly whole: Buffer;
}

/**
 * Content of the folder after a command: nothing, the whole file with its receipt, at most a part file, the files from before it, the
 * file that stdout is redirected to, or anything except a file without its own receipt.
 */
export type Remains =
  | 'nothing'
  | 'file'
  | 'at most a part'
  | 'the old file'
  | 'the output'
  | 'no file without its receipt';

/** One command under one fault, and what must be true afterwards. */
export interface FaultCase {
  readonly target: string;
  readonly fault: string;
  readonly words: readonly string[];
  /** Name of the file; undefined: the command writes to stdout. */
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments before the command, such as a shell that sets a limit. */
  readonly wrapper?: readonly string[];
  readonly damage?: (proxy: CuttingProxy) => void;
  /** Prepares the folder; the command runs in the one that it returns. */
  readonly place?: (folder: string) => Promise<string>;
  /** Target of stdout: a device, or a file in the folder. Default: a pipe that is read to its end. */
  readonly stdout?: '/dev/full' | 'out.txt';
  /** Called when the process runs; resolves when the client has left. */
  readonly onStart?: (child: ChildProcess, cwd: string) => Promise<void>;
  /** Undefined: a signal ends the process. `any`: it may end before. */
  readonly exitCode: number | 'any' | undefined;
  /** The one message on stderr, without its label and ids. */
  readonly message: RegExp | '';
  readonly leaves: Remains;
  /** Text by which the history finds the query, which must be CANCELLED within 2 s after the client has left. */
  readonly stopped?: string;
  /** Whole output. Stdout is its beginning, and with exit code 0 all of it. */
  readonly isPartOf?: Buffer;
}
