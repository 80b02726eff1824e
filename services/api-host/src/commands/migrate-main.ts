#!/usr/bin/env node
import { processEnvironment } from '../config.ts';
import { runMigration } from './run-migration.ts';

await runMigration(processEnvironment()).then(
  (sentence) => {
    process.stdout.write(`${sentence}\n`);
  },
  (thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  },
);
