/** Running host. */
export interface RunningHost extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Port with TLS; undefined if there is none. */
  readonly securePort?: number | undefined;
  /** Drains by the settings DRAIN_DELAY and DRAIN_GRACE, then closes everything. Disposing skips the drain. */
  drain(): Promise<void>;
}

/** Interface to the process, so that only `main.ts` uses the real one. */
interface HostProcess {
  onSignal(signal: 'SIGTERM' | 'SIGINT', listener: () => void): void;
  printError(sentence: string): void;
  exit(code: number): void;
}

const sentenceOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Exit codes of processes that a signal ends, as shells report them. */
const SIGNAL_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Runs the process of a host: start, drain on a signal, exit code. A signal exits immediately while the host starts, and so does a second one.
 * Process 1 of a container has no default action for signals, so the listeners are set before the start.
 */
export async function runHost(start: () => Promise<RunningHost>, process: HostProcess): Promise<void> {
  let host: RunningHost | undefined;
  let stopping = false;
  const stop = (signal: keyof typeof SIGNAL_CODES): void => {
    if (host === undefined) {
      process.exit(SIGNAL_CODES[signal]);
      return;
    }
    if (stopping) process.exit(1);
    stopping = true;
    host.drain().then(
      () => process.exit(0),
      (thrown: unknown) => {
        process.printError(sentenceOf(thrown));
        process.exit(1);
      },
    );
  };
  process.onSignal('SIGTERM', () => stop('SIGTERM'));
  process.onSignal('SIGINT', () => stop('SIGINT'));
  try {
    host = await start();
  } catch (thrown) {
    process.printError(sentenceOf(thrown));
    process.exit(1);
  }
}
