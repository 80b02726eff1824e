#!/usr/bin/env node
import { processEnvironment } from '../config.ts';
import { runAuditCommand } from './run-audit-command.ts';

await runAuditCommand({
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
