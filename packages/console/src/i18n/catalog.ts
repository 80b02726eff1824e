import type english from './messages.en.ts';

/** A message with a form per plural category of its language (Intl.PluralRules); `other` always exists. */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export type Message = string | PluralMessage;

type English = typeof english;

export type MessageKey = keyof English;

/** Messages of one language by key. */
export type Catalog = Readonly<Record<MessageKey, Message>>;

type PlaceholderIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholderIn<Rest> : never;

type PlaceholderOf<Key extends MessageKey> = {
  [Each in Key]: English[Each] extends string
    ? PlaceholderIn<English[Each]>
    : 'count' | PlaceholderIn<English[Each][keyof English[Each]]>;
}[Key];

/** Keys of the messages that have no other placeholders than these. */
export type MessageKeyWith<Names extends string> = {
  [Key in MessageKey]: [PlaceholderOf<Key>] extends [Names] ? Key : never;
}[MessageKey];

/** Values that the messages of a key, or of each key of a union, need. Numbers are written as the language writes them. */
export type ValuesOf<Key extends MessageKey> = {
  readonly [Name in PlaceholderOf<Key>]: Name extends 'count' ? number | bigint : string | number | bigint;
};

/** Arguments after the key: none for a message without placeholders. */
export type MessageArguments<Key extends MessageKey> = [PlaceholderOf<Key>] extends [never]
  ? []
  : [values: ValuesOf<Key>];

/** Languages with a complete catalog, with their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;
