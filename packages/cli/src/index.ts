import { loadCommands } from './command-list.ts';

/** For docs/generate-tables.mjs, which writes docs/cli.md from the declarations. */
export { type Command, type CommandArgument, type CommandOption, GLOBAL_OPTIONS, kebabCase } from './command.ts';
export { EXIT_CODES } from './exit-code.ts';

/** Every command. */
export const COMMANDS = await loadCommands();
