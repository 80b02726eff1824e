import { Readable } from 'node:stream';
import { runCommandLine } from '../../../../packages/cli/src/run-command-line.ts';
import type { Output } from '../../../../packages/cli/src/terminal/terminal.ts';
import type { CommandRun } from './run-command.ts';

const collect = (): { output: Output; bytes: () => Buffer } => {
  const chunks: Buffer[] = [];
  const write = async (data: string | Uint8Array): Promise<void> => void chunks.push(Buffer.from(data as string));
  return {
    output: { isTerminal: false, isFile: false, hasColor: false, columns: 80, rows: 24, write },
    bytes: () => Buffer.concat(chunks),
  };
};

/** Outcome of a command that ran in this process. */
interface InProcessRun extends CommandRun {
  readonly exitCode: number;
  /** `stdout` as it was written. */
  readonly stdoutBytes: Buffer;
}

/**
 * Runs the words after `sluice` in this process, as in a pipe. The file main.ts adds the streams, the signals and the end of the process,
 * which `runSluice` and `openTerminal` test. The working folder is that of this process, so files are named by absolute paths.
 */
export async function runInProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdin: Uint8Array | string = '',
): Promise<InProcessRun> {
  const [stdout, stderr] = [collect(), collect()];
  const input = Readable.from([Buffer.from(stdin)]) as unknown as NodeJS.ReadStream;
  const exitCode = await runCommandLine(words, {
    terminal: { stdin: input, stdout: stdout.output, stderr: stderr.output, isInteractive: false },
    environment,
    signal: new AbortController().signal,
    interceptInterrupts: () => () => undefined,
  });
  const stdoutBytes = stdout.bytes();
  return { exitCode, signal: null, stdout: stdoutBytes.toString(), stderr: stderr.bytes().toString(), stdoutBytes };
}
