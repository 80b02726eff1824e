#!/usr/bin/env node
import { processEnvironment } from '../config.ts';
import { runMigrateCommand } from './run-migration.ts';

await runMigrateCommand({
  argv: process.argv.slice(2),
  environment: processEnvironment(),
  say: (line) => process.stdout.write(`${line}\n`),
}).catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
});
