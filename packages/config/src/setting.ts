/** Entry of a settings table: name in the environment, meaning, and parser. */
export interface Setting<T> {
  /** Name in the environment, such as `API_PORT`. */
  readonly name: string;
  /** Meaning, for docs/configuration.md. */
  readonly description: string;
  /** Readable form of the text: `integer, 1 to 65535`. */
  readonly form: string;
  /** Throws an Error whose message continues the name of the setting: `must be ...`. */
  readonly parse: (text: string) => T;
  /** Text as in the environment. */
  readonly default: string | undefined;
  /** Text for the docs, if the default depends on the machine. */
  readonly defaultMeaning: string | undefined;
  readonly isOptional: boolean;
  /** Former name, still accepted with a warning. */
  readonly renamedFrom: string | undefined;
  /** Can also be set by `<NAME>_FILE`. Messages never contain its value. */
  readonly isSecret: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** Values of a settings table. */
export type SettingsOf<T extends SettingsTable> = {
  readonly [Key in keyof T]: T[Key] extends Setting<infer Value> ? Value : never;
};

/** Description and default of a setting. Without `default` and `optional`, the setting is required. */
export interface Presence {
  readonly description: string;
  /** Text that is parsed if the environment has none. */
  readonly default?: string;
  /** Describes a default that depends on the machine: `number of processors, at most 4`. */
  readonly defaultMeaning?: string;
  readonly optional?: true;
  /** Former name. A value under it is still read, with a warning. */
  readonly renamedFrom?: string;
}

export type ValueOf<T, P extends Presence> = P extends { readonly optional: true } ? T | undefined : T;

export function setting<T, const P extends Presence>(
  name: string,
  presence: P,
  reading: { readonly form: string; readonly parse: (text: string) => T; readonly isSecret?: boolean },
): Setting<ValueOf<T, P>> {
  return {
    name,
    description: presence.description,
    form: reading.form,
    parse: reading.parse as (text: string) => ValueOf<T, P>,
    default: presence.default,
    defaultMeaning: presence.defaultMeaning,
    isOptional: presence.optional === true,
    renamedFrom: presence.renamedFrom,
    isSecret: reading.isSecret === true,
  };
}
