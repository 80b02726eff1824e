#!/usr/bin/env node
import { runHost } from '@sluice/host-runtime';
import { processEnvironment } from './config.ts';
import { startApiHost } from './start-api-host.ts';

await runHost(() => startApiHost({ environment: processEnvironment() }), {
  onSignal: (signal, listener) => process.on(signal, listener),
  printError: (sentence) => process.stderr.write(`${sentence}\n`),
  exit: (code) => process.exit(code),
});
