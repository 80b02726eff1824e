import { setTimeout as delay } from 'node:timers/promises';
import { CancelledError } from './errors.ts';
import { isCompletion, runCommandLine } from './run-command-line.ts';
import { createTerminal } from './terminal/terminal.ts';

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

/** Ends the process when no refresh token is being exchanged: it would be lost, and with it the session. */
async function leave(): Promise<never> {
  const { untilUnlocked } = await import('./credentials/file-lock.ts');
  await Promise.race([untilUnlocked(), delay(EXCHANGE_MAX_MS, undefined, { ref: false })]);
  process.exit();
}

const words = process.argv.slice(2);
const dependencies = { terminal, environment, signal: stop.signal, interceptInterrupts };
const exitCode = await runCommandLine(words, dependencies);
process.exitCode = exitCode;
const isCompleted = isCompletion(words) && exitCode === 0;
// The shell goes on, while a refresh token that is being exchanged is kept.
if (isCompleted) process.stdout.end();
// Data for a reader that has stopped reading would keep the process.
if (isCompleted || exitCode === CANCELLED) await leave();
