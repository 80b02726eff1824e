/** Running host. */
export interface RunningHost extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
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

/** Runs the process of a host: start, drain on a signal, exit code. A second signal exits at once. */
export async function runHost(start: () => Promise<RunningHost>, process: HostProcess): Promise<void> {
  let host: RunningHost;
  try {
    host = await start();
  } catch (thrown) {
    process.printError(sentenceOf(thrown));
    process.exit(1);
    return;
  }
  let stopping = false;
  const stop = (): void => {
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
  process.onSignal('SIGTERM', stop);
  process.onSignal('SIGINT', stop);
}
