import type messages from './messages.en.json';

/** A message with a form per plural category of its language (Intl.PluralRules); `other` always exists. */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export type Message = string | PluralMessage;

export type MessageKey = keyof typeof messages;

/** Messages of one language by key. */
export type Catalog = Readonly<Record<MessageKey, Message>>;

/** Languages with a complete catalog, with their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;
