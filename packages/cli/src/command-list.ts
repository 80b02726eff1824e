import type { Command } from './command.ts';
import { whoami } from './commands/auth/whoami.ts';
import { query } from './commands/query/query.ts';

/** Every command, in the order of help and docs/cli.md. */
export const COMMANDS: readonly Command[] = [whoami, query];
