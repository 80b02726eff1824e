import { collectGarbageOfLoading, disableIncrementalMarking } from '@sluice/host-runtime/disable-incremental-marking';
import type { EmbeddedConfig } from './config.ts';

disableIncrementalMarking();
const { SettingsError } = await import('@sluice/config');
const { visibleLine, visibleText } = await import('@sluice/contract/visible-text');
const { readEmbeddedConfig } = await import('./config.ts');
const { nodeAdvice } = await import('./node-advice.ts');
const { readyLines } = await import('./ready-line.ts');
const { StartFailure } = await import('./start-failure.ts');
const { createStartProgress } = await import('./start-progress.ts');
const { startSluice } = await import('./start-sluice.ts');
const { watchLauncher } = await import('./watch-launcher.ts');
collectGarbageOfLoading();

/** One Ctrl-C may arrive twice: from the terminal and from npm. */
const SAME_REQUEST_MS = 1000;
const print = (line: string): void => void process.stdout.write(`${visibleLine(line)}\n`);

/** Returns a signal that aborts at the first request to stop. A second request ends this process and its children immediately. */
function watchForStop({ startedBy }: EmbeddedConfig): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const request = (): void => {
    if (stop.signal.aborted) return;
    firstAt = Date.now();
    stop.abort(new StartFailure('Stopped before the start was complete.'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted && Date.now() - firstAt > SAME_REQUEST_MS) process.exit(1);
      request();
    });
  }
  if (startedBy === 'npm') void watchLauncher(request);
  return stop.signal;
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function run(): Promise<number> {
  // Writing to a closed terminal must not crash the shutdown.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const config = readEmbeddedConfig();
  const signal = watchForStop(config);
  const { announce, end } = createStartProgress(process.stdout);
  const sluice = await startSluice({ ...config, announce, signal }).finally(end);
  const advice = nodeAdvice(process.versions.node);
  if (advice !== undefined) process.stderr.write(`${advice}\n`);
  for (const line of readyLines(sluice.addresses, sluice.firstStatement)) print(line);
  const failure = await Promise.race([untilAborted(signal), sluice.failed]);
  print(failure === undefined ? 'Stopping ...' : failure.message);
  await sluice.stop();
  return failure === undefined ? 0 : 1;
}

run().then(
  (code) => process.exit(code),
  (thrown: unknown) => {
    const known = thrown instanceof StartFailure || thrown instanceof SettingsError;
    process.stderr.write(`${visibleText(known ? thrown.message : `Sluice failed: ${String(thrown)}`)}\n`);
    process.exit(1);
  },
);
