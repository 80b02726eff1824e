import { readFileSync } from 'node:fs';
import type { Setting, SettingsOf, SettingsTable } from './setting.ts';
import { SettingsError } from './settings-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsRead<T extends SettingsTable> {
  readonly settings: SettingsOf<T>;
  /** Warnings about unknown `SLUICE_*` names (a typing error, or a name that Kubernetes injects for a service). */
  readonly warnings: readonly string[];
}

const OWN_PREFIX = 'SLUICE_';

type Outcome = { readonly value: unknown } | { readonly mistake: string };

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

function textOfFile(name: string, path: string): { readonly text: string } | { readonly mistake: string } {
  try {
    // Editors and `echo` add a newline that is not part of the secret.
    return { text: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { mistake: `${name}_FILE: the file ${path} cannot be read (${reasonOf(error)})` };
  }
}

function parse(setting: Setting<unknown>, text: string): Outcome {
  if (text === '') return { mistake: `${setting.name} is empty; give it a value or remove it` };
  try {
    return { value: setting.parse(text) };
  } catch (error) {
    // A value may contain a URL with a password, even if the setting does not expect one.
    const given = setting.isSecret ? '' : `, not "${text.replace(/\/\/[^/]*@/, '//[secret]@')}"`;
    return { mistake: `${setting.name} ${(error as Error).message}${given}` };
  }
}

function read(setting: Setting<unknown>, env: Environment): Outcome {
  const { name } = setting;
  const direct = env[name];
  const path = setting.isSecret ? env[`${name}_FILE`] : undefined;
  if (direct !== undefined && path !== undefined) {
    return { mistake: `${name} and ${name}_FILE are both given; remove one` };
  }
  if (path !== undefined) {
    const file = textOfFile(name, path);
    return 'mistake' in file ? file : parse(setting, file.text);
  }
  const text = direct ?? setting.default;
  if (text !== undefined) return parse(setting, text);
  if (setting.isOptional) return { value: undefined };
  return { mistake: `${name} is missing: ${setting.description}` };
}

function warningsFor(table: SettingsTable, env: Environment, alsoKnown: readonly string[]): string[] {
  const known = new Set(alsoKnown);
  for (const { name, isSecret } of Object.values(table)) {
    known.add(name);
    if (isSecret) known.add(`${name}_FILE`);
  }
  return Object.keys(env)
    .filter((name) => name.startsWith(OWN_PREFIX) && !known.has(name))
    .sort()
    .map((name) => `${name} is set, but no setting has this name.`);
}

/**
 * Reads all settings of a table and freezes them. Throws a SettingsError that lists all mistakes; an invalid value is never replaced
 * by a default. `alsoKnown` lists the names in other tables of the same process.
 */
export function readSettings<const T extends SettingsTable>(
  table: T,
  env: Environment,
  alsoKnown: readonly string[] = [],
): SettingsRead<T> {
  const mistakes: string[] = [];
  const values: [string, unknown][] = [];
  for (const [key, setting] of Object.entries(table)) {
    const outcome = read(setting, env);
    if ('mistake' in outcome) mistakes.push(outcome.mistake);
    else values.push([key, outcome.value]);
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  const settings = Object.freeze(Object.fromEntries(values)) as SettingsOf<T>;
  return { settings, warnings: warningsFor(table, env, alsoKnown) };
}
