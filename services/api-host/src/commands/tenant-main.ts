#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { runTenantCommand } from './run-tenant-command.ts';

await runAsMain(async (command) => {
  await runTenantCommand(command);
  return 0;
}, 1);
