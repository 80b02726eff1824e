import { Readable } from 'node:stream';
import { parseCommandLine } from '../../../../packages/cli/src/build-program.ts';
import { loadCommands } from '../../../../packages/cli/src/command-list.ts';
import { exitCodeOf } from '../../../../packages/cli/src/exit-code.ts';
import { reportError } from '../../../../packages/cli/src/output/report-error.ts';
import { connect } from '../../../../packages/cli/src/profiles/connect.ts';
import type { Output } from '../../../../packages/cli/src/terminal/terminal.ts';

const collect = (): { output: Output; text: () => string } => {
  let text = '';
  const write = async (data: string | Uint8Array): Promise<void> => {
    text += typeof data === 'string' ? data : Buffer.from(data).toString();
  };
  return { output: { isTerminal: false, hasColor: false, columns: 80, rows: 24, write }, text: () => text };
};

/** Runs a command in this process, as in a pipe: for tables of many inputs, of which each would need a process otherwise. */
export async function runInProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdin: Uint8Array | string = '',
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const [stdout, stderr] = [collect(), collect()];
  const input = Readable.from([Buffer.from(stdin)]) as unknown as NodeJS.ReadStream;
  const terminal = { stdin: input, stdout: stdout.output, stderr: stderr.output, isInteractive: false };
  const ended = (exitCode: number) => ({ exitCode, stdout: stdout.text(), stderr: stderr.text() });
  try {
    const parsed = parseCommandLine(await loadCommands(words[0]), words, { version: 'test', stdout: stdout.output });
    if (typeof parsed === 'string') throw new Error('Help needs no process; run a command.');
    const { signal } = new AbortController();
    const context = {
      terminal,
      environment,
      globals: parsed.globals,
      signal,
      connect: () => connect(environment, parsed.globals),
    };
    await parsed.command.run(context as never, parsed.input);
    return ended(0);
  } catch (error) {
    await reportError(stderr.output, error);
    return ended(exitCodeOf(error));
  }
}
