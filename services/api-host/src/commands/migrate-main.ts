#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { runMigrateCommand } from './run-migration.ts';

await runAsMain({
  run: async (command) => {
    await runMigrateCommand(command);
    return 0;
  },
  failureCode: 1,
});
