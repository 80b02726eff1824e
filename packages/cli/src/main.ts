import { setTimeout as delay } from 'node:timers/promises';
import { parseCommandLine } from './build-program.ts';
import { COMMANDS } from './command-list.ts';
import { untilUnlocked } from './credentials/file-lock.ts';
import { CancelledError } from './errors.ts';
import { exitCodeOf } from './exit-code.ts';
import { reportError } from './output/report-error.ts';
import { connect, listProfiles } from './profiles/connect.ts';
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

/** The first signal stops the command, which then waits for the engine; the second ends the process. */
function onSignal(): void {
  if (stop.signal.aborted) process.exit(CANCELLED);
  stop.abort(new CancelledError('Cancelled.'));
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

/** Runs the command that was typed. */
async function run(words: readonly string[]): Promise<void> {
  if (words[0] === COMPLETE) {
    const { printCompletion } = await import('./completion/print-completion.ts');
    // The scripts separate the words by `--`.
    return await printCompletion(COMMANDS, words.slice(2), {
      stdout: terminal.stdout,
      connect: () => connect(environment, { profile: undefined, isJson: false }),
      profiles: () => listProfiles(environment),
    });
  }
  const parsed = parseCommandLine(COMMANDS, words, { version: VERSION, stdout: terminal.stdout });
  if (typeof parsed === 'string') return await terminal.stdout.write(parsed);
  const { command, input, globals } = parsed;
  await command.run(
    { terminal, environment, globals, signal: stop.signal, connect: () => connect(environment, globals) },
    input,
  );
}

try {
  await run(process.argv.slice(2));
} catch (thrown) {
  // An operation that was aborted may throw its own error; the reason of the stop is what happened.
  const isExplained = thrown instanceof CancelledError;
  const error = stop.signal.aborted && !isExplained ? stop.signal.reason : thrown;
  await reportError(terminal.stderr, error);
  process.exitCode = exitCodeOf(error);
  // Data for a reader that has stopped reading would keep the process.
  if (error instanceof CancelledError) {
    // A refresh token that is being exchanged would be lost, and with it the session.
    await Promise.race([untilUnlocked(), delay(EXCHANGE_MAX_MS, undefined, { ref: false })]);
    process.exit();
  }
}
