import { setTimeout as delay } from 'node:timers/promises';
import { parseCommandLine } from './build-program.ts';
import { expandHelp, loadCommands } from './command-list.ts';
import type { Connection, GlobalOptions } from './context.ts';
import { CancelledError } from './errors.ts';
import { createTerminal } from './terminal/terminal.ts';
import { VERSION } from './version.ts';

/** Hidden command that the scripts of `sluice completion` call. */
const COMPLETE = '__complete';
const CANCELLED = 130;
const EXCHANGE_MAX_MS = 3_000;

const stop = new AbortController();
// biome-ignore lint/style/noProcessEnv: the one place that reads the environment of the process
const environment = process.env;
const terminal = createTerminal(process, environment, (error) => stop.abort(error));

/** Takes Ctrl-C instead of the process, while a prompt runs a statement. */
let interceptor: (() => void) | undefined;

/** The first signal stops the command, which then waits for the engine; the second ends the process. */
function onSignal(signal: NodeJS.Signals): void {
  if (signal === 'SIGINT' && interceptor !== undefined) {
    interceptor();
    return;
  }
  if (stop.signal.aborted) process.exit(CANCELLED);
  stop.abort(new CancelledError('Cancelled.'));
}

function interceptInterrupts(onInterrupt: () => void): () => void {
  const before = interceptor;
  interceptor = onInterrupt;
  return () => {
    interceptor = before;
  };
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

async function connect(globals: GlobalOptions): Promise<Connection> {
  const profiles = await import('./profiles/connect.ts');
  return await profiles.connect(environment, globals);
}

async function listProfiles(): Promise<readonly string[]> {
  const profiles = await import('./profiles/connect.ts');
  return await profiles.listProfiles(environment);
}

const isVersion = ([word = '', ...rest]: readonly string[]): boolean =>
  rest.length === 0 && ['--version', '-V'].includes(word);

/** Ends the process when no refresh token is being exchanged: it would be lost, and with it the session. */
async function leave(): Promise<never> {
  const { untilUnlocked } = await import('./credentials/file-lock.ts');
  await Promise.race([untilUnlocked(), delay(EXCHANGE_MAX_MS, undefined, { ref: false })]);
  process.exit();
}

/** Runs the command that was typed. What only some commands need is imported by them, which keeps the start short. */
async function run(words: readonly string[]): Promise<void> {
  if (words[0] === COMPLETE) {
    const { printCompletion } = await import('./completion/print-completion.ts');
    // The scripts write `__complete SHELL -- LINE`.
    const [, shell = '', , ...typed] = words;
    await printCompletion(await loadCommands(), [shell, ...typed], {
      stdout: terminal.stdout,
      connect: () => connect({ profile: undefined, isJson: false }),
      profiles: listProfiles,
    });
    // The shell goes on, while a refresh token that is being exchanged is kept.
    process.stdout.end();
    return await leave();
  }
  const expanded = expandHelp(words);
  const commands = isVersion(words) ? [] : await loadCommands(expanded[0]);
  const parsed = parseCommandLine(commands, expanded, { version: VERSION, stdout: terminal.stdout });
  if (typeof parsed === 'string') return await terminal.stdout.write(parsed);
  const { command, input, globals } = parsed;
  await command.run(
    {
      terminal,
      environment,
      globals,
      signal: stop.signal,
      interceptInterrupts,
      connect: () => connect(globals),
    },
    input,
  );
}

try {
  await run(process.argv.slice(2));
} catch (thrown) {
  // An operation that was aborted may throw its own error; the reason of the stop is what happened.
  const isExplained = thrown instanceof CancelledError;
  const error = stop.signal.aborted && !isExplained ? stop.signal.reason : thrown;
  const [{ reportError }, { exitCodeOf }] = await Promise.all([
    import('./output/report-error.ts'),
    import('./exit-code.ts'),
  ]);
  await reportError(terminal.stderr, error);
  process.exitCode = exitCodeOf(error);
  // Data for a reader that has stopped reading would keep the process.
  if (error instanceof CancelledError) await leave();
}
