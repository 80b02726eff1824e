import { loadCommands } from './command-list.ts';

/** Declarations from which docs/generate-tables.mjs writes docs/cli.md. */
export { type Command, type CommandArgument, type CommandOption, GLOBAL_OPTIONS, kebabCase } from './command.ts';
export { EXIT_CODES } from './exit-code.ts';

/** Every command. */
export const COMMANDS = await loadCommands();
