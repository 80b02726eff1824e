import { Command, CommanderError } from 'commander';

/** A violation in the words of a command line. The message is for the operator, and names the help. */
export class CommandLineError extends Error {}

/** Columns of the help. The output of a command is often a log, which has no width. */
const HELP_COLUMNS = 100;

/** Creates the program of a command. Its help is given to `say`, and its violations are thrown by `runProgram`. */
export function createProgram(name: string, description: string, say: (line: string) => void): Command {
  return new Command(name)
    .description(description)
    .helpCommand(false)
    .helpOption('-h, --help', 'Show this help.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: () => undefined,
      getOutHelpWidth: () => HELP_COLUMNS,
    });
}

/**
 * Parses the words of a command line and runs the action that they name.
 * @throws CommandLineError if the words are wrong, and whatever the action throws
 */
export async function runProgram(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new CommandLineError(sentenceOf(error, namesOf(program, words)));
  }
}

/** Adds a value to those that the same option had before: `--email-domain a.example --email-domain b.example`. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Ends an action because of words that the parser accepts one by one, but not together. */
export function reject(command: Command, sentence: string): never {
  return command.error(sentence);
}

/** Returns the words that name a command: `tenant create`. */
function namesOf(program: Command, [word]: readonly string[]): string {
  const found = program.commands.find((each) => each.name() === word);
  return found === undefined ? program.name() : `${program.name()} ${found.name()}`;
}

function sentenceOf({ code, message }: CommanderError, names: string): string {
  const help = `See \`${names} --help\`.`;
  if (code === 'commander.help') return `\`${names}\` needs the name of a command. ${help}`;
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return `${/[.?)]$/.test(sentence) ? sentence : `${sentence}.`} ${help}`;
}
