#!/usr/bin/env node
import { collectWithoutMarking, runHost } from '@sluice/host';
import { processEnvironment } from './config.ts';
import { startStreamHost } from './start-stream-host.ts';

collectWithoutMarking();
await runHost(() => startStreamHost({ environment: processEnvironment() }), {
  onSignal: (signal, listener) => process.on(signal, listener),
  complain: (sentence) => process.stderr.write(`${sentence}\n`),
  exit: (code) => process.exit(code),
});
