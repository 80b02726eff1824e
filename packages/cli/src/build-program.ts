import { Argument, Command as CommanderCommand, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { type Command, type CommandArgument, type CommandOption, GLOBAL_OPTIONS, kebabCase } from './command.ts';
import { COMMAND_NAMES } from './command-list.ts';
import type { GlobalOptions } from './context.ts';
import { UsageError } from './errors.ts';
import { suggestCommands } from './suggest-command.ts';
import type { Output } from './terminal/terminal.ts';

/** Narrowest terminal for which help is wrapped. */
const HELP_WIDTH_MIN = 20;
/** Narrowest column of descriptions beside their terms. */
const DESCRIPTION_WIDTH_MIN = 40;

/** Command of a command line, with its arguments and options. */
export interface ParsedCommand {
  readonly command: Command;
  readonly input: Parameters<Command['run']>[1];
  readonly globals: GlobalOptions;
}

const readInteger =
  ({ min, max }: { readonly min: number; readonly max?: number }) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value;
    const range = max === undefined ? ` from ${min} up` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };

function toOption(name: string, declared: CommandOption): Option {
  const flags = `${declared.short === undefined ? '' : `-${declared.short}, `}--${kebabCase(name)}`;
  const meaning = declared.kind === 'list' ? `${declared.meaning} May be repeated.` : declared.meaning;
  const option = new Option(declared.kind === 'flag' ? flags : `${flags} <${declared.value}>`, meaning);
  if (declared.kind === 'flag') return option;
  if (declared.kind === 'list')
    return option.default([], 'none').argParser((text: string, before: readonly string[]) => [...before, text]);
  if (declared.kind === 'integer') option.argParser(readInteger(declared));
  if (declared.kind === 'text' && declared.choices !== undefined) option.choices(declared.choices);
  return declared.default === undefined ? option : option.default(declared.default);
}

/**
 * Returns whether the one word that was given is not the first argument, a choice that may be left out, but the second: a statement, or `-`.
 * A single word is a choice, so that a typing error in it is found.
 */
function isFirstLeftOut({ arguments: declared }: Command, given: readonly string[]): boolean {
  const [first, second] = Object.values(declared);
  const mayBeLeftOut = first?.choices !== undefined && first.isRequired !== true && second !== undefined;
  return mayBeLeftOut && given.length === 1 && /\s|^-$/.test(given[0] ?? '');
}

function toArgument(
  name: string,
  { meaning, isRequired = false, isList = false, choices }: CommandArgument,
  isLeftOut: () => boolean,
): Argument {
  const text = `${kebabCase(name)}${isList ? '...' : ''}`;
  const argument = new Argument(isRequired ? `<${text}>` : `[${text}]`, meaning);
  if (choices === undefined) return isRequired && !isList ? argument.argParser(requireText) : argument;
  return argument.choices(choices).argParser((given: string) => {
    if (choices.includes(given) || isLeftOut()) return given;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  });
}

/** An empty word is most often a variable of the shell that is not set. */
function requireText(given: string): string {
  if (given.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return given;
}

const formatExamples = ({ examples }: Command): string =>
  ['', 'Examples:', ...examples.map(({ command, does }) => `  # ${does}\n  sluice ${command}`)].join('\n');

/** Formats an option or command of the help. In a narrow terminal, its description begins on a line of its own. */
const formatHelpItem: Help['formatItem'] = (term, termWidth, description, helper) => {
  const width = helper.helpWidth ?? 80;
  if (description === '' || width - termWidth >= DESCRIPTION_WIDTH_MIN)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const indent = '      ';
  const lines = helper.boxWrap(description, width - indent.length).replaceAll('\n', `\n${indent}`);
  return `  ${term}\n${indent}${lines}`;
};

/** Finds or adds a command with the groups on the way to it: `audit` for `audit search`. A group may be a command too, as `history`. */
function findNode(program: CommanderCommand, words: readonly string[]): CommanderCommand {
  return words.reduce((parent, word) => {
    const found = parent.commands.find((each) => each.name() === word);
    // Options behind the name of a command are its own, not those of its group.
    return (
      found ??
      parent
        .enablePositionalOptions(parent !== program)
        .command(word)
        .helpCommand(false)
    );
  }, program);
}

function addGlobalOptions(program: CommanderCommand): CommanderCommand {
  for (const [name, declared] of Object.entries(GLOBAL_OPTIONS)) program.addOption(toOption(name, declared));
  return program;
}

/** The library turns `--no-pager` into `pager: false`. */
function isFlagSet(name: string, given: Readonly<Record<string, unknown>>): boolean {
  const [, first, rest] = /^no([A-Z])(.*)$/.exec(name) ?? [];
  return first === undefined ? given[name] === true : given[`${first.toLowerCase()}${rest}`] === false;
}

function addCommand(program: CommanderCommand, command: Command, onParsed: (parsed: ParsedCommand) => void): void {
  const added = findNode(program, command.name.split(' '));
  added.summary(command.summary).description([`${command.summary}.`, command.description ?? ''].join('\n\n').trim());
  const isLeftOut = () => isFirstLeftOut(command, added.args);
  for (const [name, declared] of Object.entries(command.arguments))
    added.addArgument(toArgument(name, declared, isLeftOut));
  for (const [name, declared] of Object.entries(command.options)) added.addOption(toOption(name, declared));
  addGlobalOptions(added).addHelpText('after', formatExamples(command));
  added.action(() => {
    const taken = isLeftOut() ? [undefined, ...added.processedArgs] : added.processedArgs;
    const values = Object.keys(command.arguments).map((name, index) => [name, taken[index]]);
    const { profile, json, ...given } = added.opts();
    const top = program.opts();
    const flags = Object.entries(command.options).filter(([, { kind }]) => kind === 'flag');
    const own = { ...given, ...Object.fromEntries(flags.map(([name]) => [name, isFlagSet(name, given)])) };
    onParsed({
      command,
      input: { arguments: Object.fromEntries(values), options: own as never },
      globals: { profile: profile ?? top['profile'], isJson: json === true || top['json'] === true },
    });
  });
}

/** Applies the settings to every command below, and lists the commands of a group beside its name. */
function finish(program: CommanderCommand, parent: CommanderCommand = program): void {
  for (const each of parent.commands) {
    each.exitOverride().copyInheritedSettings(program);
    if (each.summary() === '') each.summary(`Commands: ${each.commands.map((child) => child.name()).join(', ')}`);
    finish(program, each);
  }
}

/**
 * Parses the words after `sluice`. Returns the command with its input, or the text of the help or version that was asked for.
 * @throws UsageError with what is wrong and the command whose help says more
 */
export function parseCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  terminal: { readonly version: string; readonly stdout: Output },
): ParsedCommand | string {
  let parsed: ParsedCommand | undefined;
  let printed = '';
  const program = addGlobalOptions(new CommanderCommand('sluice'));
  program
    .description('Governed SQL over HTTP.')
    .version(terminal.version, '-V, --version', 'Print the version.')
    .helpCommand(false);
  program.helpOption('-h, --help', 'Show this help.');
  program.configureHelp({ minWidthToWrap: HELP_WIDTH_MIN, formatItem: formatHelpItem });
  program.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    // The sentence is thrown below, and reported as every other error is.
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(terminal.stdout.columns, 120),
    getOutHasColors: () => terminal.stdout.hasColor,
  });
  program.exitOverride();
  for (const command of commands)
    addCommand(program, command, (value) => {
      parsed = value;
    });
  finish(program);
  rejectUnknown(findNamed(program, words), words, commands);
  try {
    program.parse(words.length === 0 ? ['--help'] : [...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(error, findNamed(program, words), commands);
  }
  return parsed ?? printed;
}

/** The longest command or group that the words begin with: `audit` for `audit serch`. */
interface Named {
  readonly program: CommanderCommand;
  /** Its words, without `sluice`. */
  readonly path: readonly string[];
}

function findNamed(program: CommanderCommand, words: readonly string[]): Named {
  let found = program;
  const path: string[] = [];
  for (const word of words) {
    const child = found.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    found = child;
    path.push(word);
  }
  return { program: found, path };
}

/**
 * Checks the first word behind a group, or behind `help`. The library does not look at it before `--help`, and knows the names of the group only.
 * @throws UsageError if it is not a command, with what may have been meant
 */
function rejectUnknown({ path }: Named, words: readonly string[], commands: readonly Command[]): void {
  const command = commands.find(({ name }) => name === path.join(' '));
  const isHelp = command?.name === 'help';
  const word = words[path.length] ?? '-';
  const isKnown = isHelp ? command.arguments['topic']?.choices?.includes(word) === true : command !== undefined;
  if (isKnown || word.startsWith('-')) return;
  const group = isHelp ? [] : path;
  const suggestions = suggestCommands(group.join(' '), word, COMMAND_NAMES);
  const meant = `${suggestions.length > 1 ? 'one of ' : ''}${suggestions.join(', ')}`;
  const question = suggestions.length === 0 ? '' : ` (Did you mean ${meant}?)`;
  const help = ['sluice', ...group, '--help'].join(' ');
  throw new UsageError(`Unknown command '${[...group, word].join(' ')}'.${question} See \`${help}\`.`);
}

/** The library's words for a value that is not accepted, of an argument and of an option. */
const INVALID_VALUES = [
  /^command-argument value '(?<value>.*)' is invalid for argument '(?<argument>[^']+)'\. (?<rule>.*)\.$/s,
  /^option '(?:-\w, )?(?<option>--[^ ']+)[^']*' argument '(?<value>.*)' is invalid\. (?<rule>.*)\.$/s,
];

/** Returns a sentence that begins with the name of what is wrong. */
function toSentence({ message }: CommanderError): string {
  const text = message.replace(/^error: /, '');
  const found = INVALID_VALUES.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return text;
  const { argument, option = argument?.toUpperCase(), value, rule = '' } = found;
  const wanted = rule.replace(/^Allowed choices are /, 'must be one of ').replace(/^It must/, 'must');
  return value?.trim() === '' ? `${option} must not be empty.` : `${option} ${wanted}, not "${value}".`;
}

/** The library's message as one sentence, with the command whose help says more. */
function toUsageError(error: CommanderError, { program, path }: Named, commands: readonly Command[]): UsageError {
  const command = ['sluice', ...path].join(' ');
  if (error.code === 'commander.help')
    return new UsageError(`\`${command}\` needs one more word:`, { help: program.helpInformation().trimEnd() });
  const [what = '', ...rest] = toSentence(error).split('\n');
  const sentence = /[.?]$/.test(what) ? what : `${what}.`;
  const capitalised = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
  const takesStatement = commands.some(({ name, ...each }) => `sluice ${name}` === command && 'sql' in each.arguments);
  const isUnquoted = error.code === 'commander.excessArguments' && takesStatement;
  if (isUnquoted) rest.push('Put the statement into quotes.');
  const isSaving = error.code === 'commander.unknownOption' && /'(?:-o|--output)/.test(what);
  if (command === 'sluice query' && isSaving) rest.push('`sluice download` saves a result to a file.');
  return new UsageError([capitalised, ...rest, `See \`${command} --help\`.`].join(' '));
}
