import { type Command, type CommandOption, type CompletionSource, GLOBAL_OPTIONS, kebabCase } from '../command.ts';

/** A word that could be typed next. */
export interface Candidate {
  readonly word: string;
  readonly does?: string | undefined;
  /** Text in lists. Default: `word`. */
  readonly shown?: string;
  /** Whether something may follow without a space, as behind the dot of `catalog.`. */
  readonly isOpen?: boolean;
}

/** Candidates for the word at the cursor. `files`: the shell completes names of files. */
export type Completion = 'files' | readonly Candidate[];

/** Returns the names of a source that the text may become, such as the tables of a schema. */
export type ReadNames = (source: Exclude<CompletionSource, 'file'>, begun: string) => Promise<readonly Candidate[]>;

/** The words before the current one: the command, how many arguments it has, and the option that waits for its value. */
interface Typed {
  readonly path: readonly string[];
  readonly argumentCount: number;
  readonly option: CommandOption | undefined;
  readonly areOptionsOver: boolean;
}

const HELP: Candidate = { word: '--help', does: 'Display help.' };

const isBelow = (command: Command, path: readonly string[]): boolean => {
  const words = command.name.split(' ');
  return path.every((word, index) => words[index] === word);
};

const findCommand = (commands: readonly Command[], path: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name === path.join(' '));

function findOption(command: Command | undefined, word: string): CommandOption | undefined {
  const all = Object.entries<CommandOption>({ ...GLOBAL_OPTIONS, ...command?.options });
  return all.find(([name, { short }]) => word === `--${kebabCase(name)}` || word === `-${short}`)?.[1];
}

function readTyped(commands: readonly Command[], words: readonly string[]): Typed {
  let [path, argumentCount, areOptionsOver]: [readonly string[], number, boolean] = [[], 0, false];
  let option: CommandOption | undefined;
  for (const word of words) {
    if (option !== undefined) {
      option = undefined;
    } else if (!areOptionsOver && word === '--') {
      areOptionsOver = true;
    } else if (!areOptionsOver && word.startsWith('-') && word !== '-') {
      const found = findOption(findCommand(commands, path), word);
      option = found?.kind === 'flag' ? undefined : found;
    } else if (argumentCount === 0 && commands.some((command) => isBelow(command, [...path, word]))) {
      path = [...path, word];
    } else {
      argumentCount += 1;
    }
  }
  return { path, argumentCount, option, areOptionsOver };
}

function optionWords(command: Command | undefined): readonly Candidate[] {
  const all = Object.entries<CommandOption>({ ...command?.options, ...GLOBAL_OPTIONS });
  return [...all.map(([name, { meaning }]) => ({ word: `--${kebabCase(name)}`, does: meaning })), HELP];
}

function commandWords(commands: readonly Command[], path: readonly string[]): readonly Candidate[] {
  const below = commands.filter((command) => isBelow(command, path)).map(({ name }) => name.split(' '));
  const words = new Set(below.flatMap((name) => name[path.length] ?? []));
  return [...words].map((word) => {
    const group = below.filter((name) => name[path.length] === word).flatMap((name) => name[path.length + 1] ?? []);
    return { word, does: findCommand(commands, [...path, word])?.summary ?? [...new Set(group)].join(', ') };
  });
}

const startingWith = (candidates: readonly Candidate[], begun: string): readonly Candidate[] =>
  candidates.filter(({ word }) => word.startsWith(begun));

async function readValues(
  declared: { readonly choices?: readonly string[]; readonly completes?: CompletionSource },
  begun: string,
  readNames: ReadNames,
): Promise<Completion> {
  if (declared.choices !== undefined)
    return startingWith(
      declared.choices.map((word) => ({ word })),
      begun,
    );
  if (declared.completes === 'file') return 'files';
  return declared.completes === undefined ? [] : await readNames(declared.completes, begun);
}

/** Values of an option; those of text options only have any that are known. */
const optionValues = (option: CommandOption, begun: string, readNames: ReadNames): Promise<Completion> =>
  readValues(option.kind === 'text' ? option : {}, begun, readNames);

/**
 * Returns what may follow in a command line.
 * @param words - words after `sluice`; the last one is begun, perhaps empty
 */
export async function complete(
  commands: readonly Command[],
  words: readonly string[],
  readNames: ReadNames,
): Promise<Completion> {
  const begun = words.at(-1) ?? '';
  const { path, argumentCount, option, areOptionsOver } = readTyped(commands, words.slice(0, -1));
  const command = findCommand(commands, path);
  if (option !== undefined) return await optionValues(option, begun, readNames);
  if (!areOptionsOver && begun.startsWith('-')) {
    const equals = begun.indexOf('=');
    const named = equals < 0 ? undefined : findOption(command, begun.slice(0, equals));
    if (named === undefined) return startingWith(optionWords(command), begun);
    const values = await optionValues(named, begun.slice(equals + 1), readNames);
    if (values === 'files') return values;
    const prefix = begun.slice(0, equals + 1);
    return values.map((value) => ({ ...value, word: `${prefix}${value.word}`, shown: value.shown ?? value.word }));
  }
  const subcommands = startingWith(argumentCount === 0 ? commandWords(commands, path) : [], begun);
  const declared = Object.values(command?.arguments ?? {});
  const last = declared.at(-1);
  const argument = declared[argumentCount] ?? (last?.isList === true ? last : undefined);
  if (argument === undefined) return subcommands;
  const values = await readValues(argument, begun, readNames);
  return values === 'files' ? values : [...subcommands, ...values];
}
