/** One line of a settings table: a name of the environment, what it means, and how its text becomes a value. */
export interface Setting<T> {
  /** As in the environment, `API_PORT`. */
  readonly name: string;
  /** A sentence for people, for docs/configuration.md. */
  readonly description: string;
  /** The form of the text, for people: `integer, 1 to 65535`. */
  readonly form: string;
  /** Throws an Error whose message completes a sentence that begins with the name: `must be ...`. */
  readonly parse: (text: string) => T;
  /** Written as it would be in the environment. */
  readonly default: string | undefined;
  /** What the docs show instead of a default that differs from machine to machine. */
  readonly defaultMeaning: string | undefined;
  readonly isOptional: boolean;
  /** May be given as `<NAME>_FILE` too, and is never repeated in a message. */
  readonly isSecret: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** What a table reads to. */
export type SettingsOf<T extends SettingsTable> = {
  readonly [Key in keyof T]: T[Key] extends Setting<infer Value> ? Value : never;
};

/** A setting without `default` and `optional` must be given. */
export interface Presence {
  readonly description: string;
  /** The text to read when the environment has none. */
  readonly default?: string;
  /** How a default is computed that differs from machine to machine: `number of processors, at most 4`. */
  readonly defaultMeaning?: string;
  readonly optional?: true;
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
    isSecret: reading.isSecret === true,
  };
}
