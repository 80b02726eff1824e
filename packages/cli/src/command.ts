import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';

/** Names that complete a value. `schema`: catalogs and their schemas; `table`: these, tables and views; `sql`: words of a statement. */
export type CompletionSource =
  | 'file'
  | 'profile'
  | 'schema'
  | 'table'
  | 'sql'
  | 'datamap'
  | 'item'
  | 'query'
  | 'result';

interface OptionBase {
  /** One sentence for `--help` and docs/cli.md. */
  readonly meaning: string;
  /** Short form without its hyphen: `o` for `-o`. */
  readonly short?: string;
}

/** `--name`, without a value. */
export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
}

/** `--name VALUE`. */
export interface TextOption extends OptionBase {
  readonly kind: 'text';
  /** Placeholder of the value in help, in upper case. */
  readonly value: string;
  readonly choices?: readonly string[];
  readonly completes?: CompletionSource;
  readonly default?: string;
}

/** `--name VALUE`, any number of times. */
export interface ListOption extends OptionBase {
  readonly kind: 'list';
  readonly value: string;
}

/** `--name N`, within both limits. */
export interface IntegerOption extends OptionBase {
  readonly kind: 'integer';
  readonly value: string;
  readonly min: number;
  readonly max?: number;
  readonly default?: number;
}

export type CommandOption = FlagOption | TextOption | ListOption | IntegerOption;

/** An argument by position. Only the last one may take several values. */
export interface CommandArgument {
  readonly meaning: string;
  readonly isRequired?: boolean;
  readonly isList?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: CompletionSource;
}

type OptionValue<Option> = Option extends { kind: 'flag' }
  ? boolean
  : Option extends { kind: 'list' }
    ? readonly string[]
    : Option extends { kind: 'integer' }
      ? number | (Option extends { default: number } ? never : undefined)
      :
          | (Option extends { choices: readonly (infer Choice)[] } ? Choice : string)
          | (Option extends { default: string } ? never : undefined);

type ArgumentValue<Argument> = Argument extends { isList: true }
  ? readonly string[]
  :
      | (Argument extends { choices: readonly (infer Choice)[] } ? Choice : string)
      | (Argument extends { isRequired: true } ? never : undefined);

export interface Example {
  /** The command as typed, without `sluice`. docs/cli.md runs it as an administrator of the demo, and it must exit with 0. */
  readonly command: string;
  readonly does: string;
  /** Reason that docs/cli.md does not run it, such as "it asks for a password". */
  readonly notRun?: string;
}

interface Definition<Arguments, Options> {
  /** Words after `sluice`: `query`, or `audit search`. */
  readonly name: string;
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** More paragraphs for `--help` and docs/cli.md. */
  readonly description?: string;
  readonly arguments: Arguments;
  readonly options: Options;
  readonly examples: readonly Example[];
  /** Operations of the hosts that the command calls, such as `GET /me`. */
  readonly routes: readonly string[];
  /** Files that it reads or writes, as shown in docs/cli.md. */
  readonly files?: readonly string[];
  /** Exit codes besides 0, 1, 2, 4, 130 and 141. */
  readonly exitCodes?: readonly ExitCode[];
  readonly run: (
    context: CommandContext,
    input: {
      readonly arguments: { readonly [Name in keyof Arguments]: ArgumentValue<Arguments[Name]> };
      readonly options: { readonly [Name in keyof Options]: OptionValue<Options[Name]> };
    },
  ) => Promise<void>;
}

/** A command of `sluice`. Parsing, help, completion and docs/cli.md come from it. */
export type Command = Definition<Readonly<Record<string, CommandArgument>>, Readonly<Record<string, CommandOption>>>;

/** Declares a command. Names of options are in camel case, `dryRun` for `--dry-run`. `run` gets values typed by their declarations. */
export function defineCommand<
  const Arguments extends Readonly<Record<string, CommandArgument>>,
  const Options extends Readonly<Record<string, CommandOption>>,
>(definition: Definition<Arguments, Options>): Command {
  // The parser gives `run` exactly the declared names and types.
  return definition as unknown as Command;
}

/** Options that every command has. */
export const GLOBAL_OPTIONS = {
  profile: {
    kind: 'text',
    value: 'NAME',
    completes: 'profile',
    meaning: 'Name of the profile to use; also SLUICE_PROFILE.',
  },
  json: { kind: 'flag', meaning: 'Print data as JSON, in a stable shape.' },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** Returns the name of an option or argument as typed: `dry-run` for `dryRun`. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
