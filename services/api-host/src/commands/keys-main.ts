#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { runKeysCommand } from './run-keys-command.ts';

// 1 says that neither key decrypts a value.
await runAsMain(runKeysCommand, 2);
