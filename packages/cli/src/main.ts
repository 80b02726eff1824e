import { setTimeout as delay } from 'node:timers/promises';
import { untilUnlocked } from './credentials/locked-actions.ts';
import { CancelledError } from './errors.ts';
import type { ExitCode } from './exit-code.ts';
import { isCompletion, runCommandLine } from './run-command-line.ts';
import { createTerminal } from './terminal/terminal.ts';

const CANCELLED = 130;
const OUTPUT_CLOSED = 141;
const EXCHANGE_MAX_MS = 3_000;
/** A command ends within 2 s of the first signal. The rest of that time is for the end of the process. */
const STOP_MAX_MS = 1_900;

const stop = new AbortController();
// biome-ignore lint/style/noProcessEnv: the one place that reads the environment of the process
const environment = process.env;
const terminal = createTerminal(process, environment, (error) => stop.abort(error));

/** Takes Ctrl-C instead of the process, while a prompt runs a statement. */
let interceptor: (() => void) | undefined;
/** Undefined while the command runs. */
let exitCode: ExitCode | undefined;

/** Ends the process although the command or a library has not stopped. */
function endNow(): never {
  if (exitCode === undefined) process.stderr.write('Cancelled. The command did not stop in time, so it was ended.\n');
  process.exit(CANCELLED);
}

/** The first signal stops the command, which then has 2 s to end; the second ends the process. */
function onSignal(signal: NodeJS.Signals): void {
  if (signal === 'SIGINT' && interceptor !== undefined) {
    interceptor();
    return;
  }
  if (stop.signal.aborted) process.exit(CANCELLED);
  setTimeout(endNow, STOP_MAX_MS).unref();
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

const words = process.argv.slice(2);
const dependencies = { terminal, environment, signal: stop.signal, interceptInterrupts };
exitCode = await runCommandLine(words, dependencies);
process.exitCode = exitCode;
const isCompleted = isCompletion(words) && exitCode === 0;
const isLeft = exitCode === CANCELLED || exitCode === OUTPUT_CLOSED;
// The shell goes on, while a refresh token that is being exchanged is kept.
if (isCompleted) process.stdout.end();
// Data for a reader that has stopped reading would keep the process.
else if (!isLeft) await terminal.flushed();
// A refresh token that is being exchanged would be lost, and with it the session.
const limits = isCompleted || isLeft ? [delay(EXCHANGE_MAX_MS, undefined, { ref: false })] : [];
await Promise.race([untilUnlocked(), ...limits]);
// Not left to the event loop: a connection that a library keeps or opens again and again would keep the process for ever.
process.exit();
