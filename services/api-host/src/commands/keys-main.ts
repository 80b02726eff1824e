#!/usr/bin/env node
import { runAsMain } from './run-as-main.ts';
import { keysProgram } from './run-keys-command.ts';

await runAsMain(keysProgram);
