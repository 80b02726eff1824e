#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { runAuditCommand } from './run-audit-command.ts';

// 1 says that the log differs from what was sealed.
await runAsMain(runAuditCommand, 2);
