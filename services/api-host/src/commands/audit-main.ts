#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { auditProgram } from './run-audit-command.ts';

await runAsMain(auditProgram);
