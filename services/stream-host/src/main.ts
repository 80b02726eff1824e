#!/usr/bin/env node
import { disableIncrementalMarking, runHost } from '@sluice/host-runtime';
import { processEnvironment } from './config.ts';
import { startStreamHost } from './start-stream-host.ts';

disableIncrementalMarking();
await runHost(() => startStreamHost({ environment: processEnvironment() }), {
  onSignal: (signal, listener) => process.on(signal, listener),
  printError: (sentence) => process.stderr.write(`${sentence}\n`),
  exit: (code) => process.exit(code),
});
