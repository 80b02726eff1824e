import { parseCommandLine } from './build-program.ts';
import { expandHelp, loadCommands } from './command-list.ts';
import type { CommandContext, Connection, GlobalOptions } from './context.ts';
import { trackLocked } from './credentials/locked-actions.ts';
import type { Environment } from './environment.ts';
import { CancelledError, OutputClosedError } from './errors.ts';
import type { ExitCode } from './exit-code.ts';
import { VERSION } from './version.ts';

/** Hidden command that the scripts of `sluice completion` call. */
const COMPLETE = '__complete';

/** Streams, environment and signals of the process, or of a test. */
type CommandLineDependencies = Pick<CommandContext, 'terminal' | 'environment' | 'signal' | 'interceptInterrupts'>;

async function connect(environment: Environment, globals: GlobalOptions): Promise<Connection> {
  const profiles = await import('./profiles/connect.ts');
  return await profiles.connect(environment, globals);
}

async function listProfiles(environment: Environment): Promise<readonly string[]> {
  const profiles = await import('./profiles/connect.ts');
  return await profiles.listProfiles(environment);
}

const isVersion = ([word = '', ...rest]: readonly string[]): boolean =>
  rest.length === 0 && ['--version', '-V'].includes(word);

/** Returns whether the words are those of a script of completion. */
export const isCompletion = ([word]: readonly string[]): boolean => word === COMPLETE;

/** Runs the command that was typed. What only some commands need is imported by them, which keeps the start short. */
async function run(words: readonly string[], dependencies: CommandLineDependencies): Promise<void> {
  const { environment } = dependencies;
  const connections: Connection[] = [];
  const open = async (globals: GlobalOptions): Promise<Connection> => {
    const connection = await connect(environment, globals);
    connections.push(connection);
    return connection;
  };
  try {
    await runWith(open, words, dependencies);
  } finally {
    const isHurried = isCompletion(words);
    const closing = Promise.all(connections.map(({ close }) => close(isHurried)));
    // A person waits for the words after the Tab key. The process waits for the rest at its end.
    if (isHurried) trackLocked(closing);
    else await closing;
  }
}

/** @param open - opens a connection, which is closed when the command has ended */
async function runWith(
  open: (globals: GlobalOptions) => Promise<Connection>,
  words: readonly string[],
  dependencies: CommandLineDependencies,
): Promise<void> {
  const { terminal, environment } = dependencies;
  if (isCompletion(words)) {
    const { printCompletion } = await import('./completion/print-completion.ts');
    // The scripts write `__complete SHELL -- LINE`.
    const [, shell = '', , ...typed] = words;
    await printCompletion(await loadCommands(), [shell, ...typed], {
      stdout: terminal.stdout,
      connect: () => open({ profile: undefined, isJson: false }),
      profiles: () => listProfiles(environment),
    });
    return;
  }
  const expanded = expandHelp(words);
  const commands = isVersion(words) ? [] : await loadCommands(expanded[0]);
  const parsed = parseCommandLine(commands, expanded, { version: VERSION, stdout: terminal.stdout });
  if (typeof parsed === 'string') return await terminal.stdout.write(parsed);
  const { command, input, globals } = parsed;
  const { signal, interceptInterrupts } = dependencies;
  const context = { terminal, environment, globals, signal, interceptInterrupts };
  await command.run({ ...context, connect: () => open(globals) }, input);
}

/** Runs the words after `sluice`, reports an error on stderr, and returns the exit code. */
export async function runCommandLine(
  words: readonly string[],
  dependencies: CommandLineDependencies,
): Promise<ExitCode> {
  const { terminal, signal } = dependencies;
  try {
    await run(words, dependencies);
    // A pipe reports only after the last write that its reader has left.
    if (signal.reason instanceof OutputClosedError) throw signal.reason;
    return 0;
  } catch (thrown) {
    // An operation that was aborted may throw its own error; the reason of the stop is what happened.
    const isExplained = thrown instanceof CancelledError;
    const error = signal.aborted && !isExplained ? signal.reason : thrown;
    const [{ reportError }, { exitCodeOf }] = await Promise.all([
      import('./output/report-error.ts'),
      import('./exit-code.ts'),
    ]);
    await reportError(terminal.stderr, error);
    return exitCodeOf(error);
  }
}
