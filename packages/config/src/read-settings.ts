import { readFileSync } from 'node:fs';
import type { Setting, SettingsOf, SettingsTable } from './setting.ts';
import { SettingsError } from './settings-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface SettingsRead<T extends SettingsTable> {
  readonly settings: SettingsOf<T>;
  /** Warnings about former names, and about unknown `SLUICE_*` names (a typing error, or a name that Kubernetes injects). */
  readonly warnings: readonly string[];
}

const OWN_PREFIX = 'SLUICE_';

type Outcome = { readonly value: unknown } | { readonly violation: string };

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

function textOfFile(name: string, path: string): { readonly text: string } | { readonly violation: string } {
  try {
    // Editors and `echo` add a newline that is not part of the secret.
    return { text: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { violation: `${name}_FILE: the file ${path} cannot be read (${reasonOf(error)})` };
  }
}

function parse(setting: Setting<unknown>, text: string, name: string): Outcome {
  if (text === '') return { violation: `${name} is empty; give it a value or remove it` };
  try {
    return { value: setting.parse(text) };
  } catch (error) {
    // A value may contain a URL with a password, even if the setting does not expect one.
    const given = setting.isSecret ? '' : `, not "${text.replace(/\/\/[^/]*@/, '//[secret]@')}"`;
    return { violation: `${name} ${(error as Error).message}${given}` };
  }
}

const variablesOf = ({ isSecret }: Setting<unknown>, name: string): readonly string[] =>
  isSecret ? [name, `${name}_FILE`] : [name];

/** Variables that the environment may set for a setting, former names included. */
const allVariablesOf = (setting: Setting<unknown>): readonly string[] =>
  [setting.name, ...(setting.renamedFrom === undefined ? [] : [setting.renamedFrom])].flatMap((name) =>
    variablesOf(setting, name),
  );

function read(setting: Setting<unknown>, env: Environment): Outcome {
  const [variable, second] = allVariablesOf(setting).filter((name) => env[name] !== undefined);
  if (second !== undefined) return { violation: `${variable} and ${second} are both given; remove one` };
  if (variable === undefined) {
    if (setting.default !== undefined) return parse(setting, setting.default, setting.name);
    return setting.isOptional
      ? { value: undefined }
      : { violation: `${setting.name} is missing: ${setting.description}` };
  }
  const text = env[variable] ?? '';
  const name = variable.replace(/_FILE$/, '');
  if (!setting.isSecret || name === variable) return parse(setting, text, variable);
  const file = textOfFile(name, text);
  return 'violation' in file ? file : parse(setting, file.text, name);
}

/** Warnings about former names that are still in use. */
const renamedWarnings = (table: SettingsTable, env: Environment): string[] =>
  Object.values(table).flatMap((setting) => {
    const { name, renamedFrom } = setting;
    if (renamedFrom === undefined) return [];
    return variablesOf(setting, renamedFrom)
      .filter((former) => env[former] !== undefined)
      .map((former) => `${former} was renamed to ${former.replace(renamedFrom, name)}; the former name still works.`);
  });

function unknownWarnings(table: SettingsTable, env: Environment, alsoKnown: readonly string[]): string[] {
  const known = new Set([...alsoKnown, ...Object.values(table).flatMap(allVariablesOf)]);
  return Object.keys(env)
    .filter((name) => name.startsWith(OWN_PREFIX) && !known.has(name))
    .sort()
    .map((name) => `${name} is set, but no setting has this name.`);
}

/**
 * Reads all settings of a table and freezes them. Throws a SettingsError that lists all violations; an invalid value is never replaced
 * by a default. `alsoKnown` lists the names in other tables of the same process.
 */
export function readSettings<const T extends SettingsTable>(
  table: T,
  env: Environment,
  alsoKnown: readonly string[] = [],
): SettingsRead<T> {
  const violations: string[] = [];
  const values: [string, unknown][] = [];
  for (const [key, setting] of Object.entries(table)) {
    const outcome = read(setting, env);
    if ('violation' in outcome) violations.push(outcome.violation);
    else values.push([key, outcome.value]);
  }
  if (violations.length > 0) throw new SettingsError(violations);
  const settings = Object.freeze(Object.fromEntries(values)) as SettingsOf<T>;
  return { settings, warnings: [...renamedWarnings(table, env), ...unknownWarnings(table, env, alsoKnown)] };
}
