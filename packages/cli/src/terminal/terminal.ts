import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import { visibleText } from '@sluice/contract/visible-text';
import type { Environment } from '../environment.ts';
import { CommandError, OutputClosedError } from '../errors.ts';

/** One of the two output streams. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether it is a file, so that nothing of it can appear on the terminal, as what passes a pipe may. */
  readonly isFile: boolean;
  /** Whether escape sequences for colour may be written. */
  readonly hasColor: boolean;
  /** Width in columns; 80 without a terminal. It changes when the window does. */
  readonly columns: number;
  readonly rows: number;
  /**
   * Writes text or bytes, and waits while the reader is slower. On a terminal, control characters are shown as escapes, except the sequences
   * that the command line itself writes.
   * @throws OutputClosedError if the reader has closed the stream
   */
  readonly write: (data: string | Uint8Array) => Promise<void>;
}

/** Standard input, output and error of the process. Data goes to `stdout`, everything else to `stderr`. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether a person can be asked: input and output are a terminal. */
  readonly isInteractive: boolean;
}

/** Terminal of a process that is going to end. */
export interface ProcessTerminal extends Terminal {
  /** Resolves when everything that was written has left the process, or never will. */
  readonly flushed: () => Promise<void>;
}

/** Sequences that the command line itself writes: colours, the line of progress, columns of a table, bracketed paste. */
const OWN_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that may reach a terminal
  /(\u001b\[[\d;]*m|(?:\u001b\[\d+A)?\r\u001b\[[JK]|\u001b\[\d+G|\u001b\[\?2004[hl])/;

/** Shows all other control characters as escapes: no text of a host or file can move the cursor, or reach the clipboard (OSC 52). */
const forTerminal = (text: string): string =>
  text
    .split(OWN_SEQUENCE)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('');

const isClosed = (error: unknown): boolean =>
  error instanceof Error && ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(Reflect.get(error, 'code')));

/** Reads https://no-color.org: any value except the empty string switches colour off. */
function allowsColor(stream: NodeJS.WriteStream, environment: Environment): boolean {
  if ((environment.NO_COLOR ?? '') !== '') return false;
  if ((environment.FORCE_COLOR ?? '') !== '') return environment.FORCE_COLOR !== '0';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

/** A pipe whose reader has left, or a file that cannot be written, such as on a full disk. */
const toCommandError = (cause: unknown): CommandError =>
  isClosed(cause)
    ? new OutputClosedError('The reader of the output has closed it.', { cause })
    : new CommandError(
        `The output could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Make room, or write it elsewhere.`,
        { cause },
      );

/** Stream of the process, with its file descriptor. */
type ProcessOutput = NodeJS.WriteStream & { readonly fd?: number };

/**
 * Returns the function that writes to a stream, false if its buffer is full. The stream of Node.js that writes to a file ignores how many
 * bytes were written: on a disk that is almost full a part would be lost without an error.
 */
function createWrite(stream: ProcessOutput, isFile: boolean): (data: string | Uint8Array) => boolean {
  const { fd } = stream;
  if (fd === undefined || !isFile) return (data) => stream.write(data);
  return (data) => {
    const bytes = Buffer.from(data);
    for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
    return true;
  };
}

/** Output that may still keep data in a buffer. */
interface BufferedOutput extends Output {
  readonly flushed: () => Promise<void>;
}

function createOutput(
  stream: ProcessOutput,
  environment: Environment,
  onFailed: (error: CommandError) => void,
): BufferedOutput {
  let failure: CommandError | undefined;
  const fail = (cause: unknown): void => {
    failure ??= toCommandError(cause);
    onFailed(failure);
  };
  stream.on('error', fail);
  const isFile = stream.fd !== undefined && fstatSync(stream.fd).isFile();
  const write = createWrite(stream, isFile);
  const hasColor = allowsColor(stream, environment);
  const isTerminal = stream.isTTY === true;
  const decoder = new TextDecoder();
  // Bytes are never those of the command line itself.
  const show = (data: string | Uint8Array): string =>
    typeof data === 'string' ? forTerminal(data) : visibleText(decoder.decode(data, { stream: true }));
  return {
    isTerminal,
    isFile,
    hasColor,
    get columns() {
      // Some terminals report a size of 0.
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    write: async (data) => {
      if (failure !== undefined) throw failure;
      if (data.length === 0) return;
      try {
        // `once` rejects when the stream fails meanwhile; the handler above then knows why.
        if (!write(isTerminal ? show(data) : data)) await once(stream, 'drain').catch(() => undefined);
      } catch (error) {
        // Files are written immediately, and then throw.
        fail(error);
      }
      if (failure !== undefined) throw failure;
    },
    flushed: async () => {
      // The callback is called in order, also with the error of a stream that failed.
      if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()));
    },
  };
}

/** Wraps the streams of the process. `onFailed` is called when stdout fails, such as a pipe whose reader has left. */
export function createTerminal(
  streams: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: ProcessOutput;
    readonly stderr: ProcessOutput;
  },
  environment: Environment,
  onFailed: (error: CommandError) => void,
): ProcessTerminal {
  const stdout = createOutput(streams.stdout, environment, onFailed);
  let stderr: BufferedOutput | undefined;
  return {
    // The process opens a stream when it is first read, which takes time at the start of every command.
    get stdin() {
      return streams.stdin;
    },
    stdout,
    get stderr() {
      stderr ??= createOutput(streams.stderr, environment, () => undefined);
      return stderr;
    },
    get isInteractive() {
      return streams.stdin.isTTY === true && streams.stdout.isTTY === true;
    },
    flushed: async () => {
      await Promise.all([stdout.flushed(), stderr?.flushed()]);
    },
  };
}
