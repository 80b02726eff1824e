import { once } from 'node:events';
import { OutputClosedError } from '../errors.ts';

/** One of the two output streams. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether escape sequences for colour may be written. */
  readonly hasColor: boolean;
  /** Width in columns; 80 without a terminal. It changes when the window does. */
  readonly columns: number;
  readonly rows: number;
  /**
   * Writes text or bytes, and waits while the reader is slower.
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

interface Environment {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

const isClosed = (error: unknown): boolean =>
  error instanceof Error && ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(Reflect.get(error, 'code')));

/** Reads https://no-color.org: any text but the empty one switches colour off. */
function allowsColor(stream: NodeJS.WriteStream, environment: Environment): boolean {
  if ((environment.NO_COLOR ?? '') !== '') return false;
  if ((environment.FORCE_COLOR ?? '') !== '') return environment.FORCE_COLOR !== '0';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

function createOutput(stream: NodeJS.WriteStream, environment: Environment, onClosed: () => void): Output {
  let failure: unknown;
  stream.on('error', (error) => {
    failure = isClosed(error)
      ? new OutputClosedError('The reader of the output has closed it.', { cause: error })
      : error;
    onClosed();
  });
  const hasColor = allowsColor(stream, environment);
  return {
    isTerminal: stream.isTTY === true,
    hasColor,
    get columns() {
      return stream.columns ?? 80;
    },
    get rows() {
      return stream.rows ?? 24;
    },
    write: async (data) => {
      if (failure !== undefined) throw failure;
      // `once` rejects when the stream fails meanwhile; the handler above then knows why.
      if (!stream.write(data)) await once(stream, 'drain').catch(() => undefined);
      if (failure !== undefined) throw failure;
    },
  };
}

/** Wraps the streams of the process. `onClosed` is called when stdout fails, such as a pipe whose reader has left. */
export function createTerminal(
  streams: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: NodeJS.WriteStream;
    readonly stderr: NodeJS.WriteStream;
  },
  environment: Environment,
  onClosed: () => void,
): Terminal {
  return {
    stdin: streams.stdin,
    stdout: createOutput(streams.stdout, environment, onClosed),
    stderr: createOutput(streams.stderr, environment, () => undefined),
    isInteractive: streams.stdin.isTTY === true && streams.stdout.isTTY === true,
  };
}
