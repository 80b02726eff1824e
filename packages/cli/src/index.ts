/** For docs/generate-tables.mjs, which writes docs/cli.md from the declarations. */
export { type Command, type CommandArgument, type CommandOption, GLOBAL_OPTIONS, kebabCase } from './command.ts';
export { COMMANDS } from './command-list.ts';
export { EXIT_CODES } from './exit-code.ts';
