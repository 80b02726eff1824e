#!/usr/bin/env node
import { processEnvironment } from '../config.ts';
import { runKeysCommand } from './run-keys-command.ts';

await runKeysCommand({
  argv: process.argv.slice(2),
  environment: processEnvironment(),
  say: (line) => process.stdout.write(`${line}\n`),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 2;
  },
);
