/** A host that is up. */
export interface RunningHost extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Leaves in order, as the settings DRAIN_DELAY and DRAIN_GRACE say, and closes everything. Disposing does it at once. */
  drain(): Promise<void>;
}

/** What a process offers, so that only a `main.ts` touches the real one. */
export interface HostProcess {
  onSignal(signal: 'SIGTERM' | 'SIGINT', listener: () => void): void;
  printError(sentence: string): void;
  exit(code: number): void;
}

const sentenceOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The whole life of a host's process: start, drain at a signal, exit code. A second signal is from somebody who will not wait. */
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
