#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { tenantProgram } from './run-tenant-command.ts';

await runAsMain(tenantProgram);
