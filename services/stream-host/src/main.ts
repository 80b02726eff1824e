#!/usr/bin/env node
import { collectGarbageOfLoading, disableIncrementalMarking } from '@sluice/host-runtime/disable-incremental-marking';

disableIncrementalMarking();
const { runHost } = await import('@sluice/host-runtime');
const { processEnvironment } = await import('./config.ts');
const { startStreamHost } = await import('./start-stream-host.ts');
collectGarbageOfLoading();

await runHost(() => startStreamHost({ environment: processEnvironment() }), {
  onSignal: (signal, listener) => process.on(signal, listener),
  printError: (sentence) => process.stderr.write(`${sentence}\n`),
  exit: (code) => process.exit(code),
});
