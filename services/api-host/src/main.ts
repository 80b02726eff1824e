#!/usr/bin/env node
import { processEnvironment } from './config.ts';
import { startApiHost } from './start-api-host.ts';

try {
  const host = await startApiHost({ environment: processEnvironment() });
  let stopping = false;
  const stop = () => {
    // A second signal is from somebody who will not wait.
    if (stopping) process.exit(1);
    stopping = true;
    host.drain().then(
      () => process.exit(0),
      (thrown: unknown) => {
        process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
