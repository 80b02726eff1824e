import type { Catalog, Message, MessageArguments, MessageKey } from './catalog.ts';

/** Values of the placeholders of a message. Numbers are written as the language writes them; `count` selects the plural form. */
type MessageValues = Readonly<Record<string, string | number | bigint>>;

/** Formats of one language. They are made once, because making one takes longer than using it. */
export interface MessageFormats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Replaces the placeholders (`{name}`) of a message. A value is inserted as it is, so braces in it are text.
 * Returns undefined when a value is missing.
 */
export function formatMessage(
  message: Message,
  values: MessageValues,
  { plural, number }: MessageFormats,
): string | undefined {
  const { count } = values;
  const text =
    typeof message === 'string' ? message : (message[plural.select(Number(count ?? Number.NaN))] ?? message.other);
  let isComplete = true;
  const formatted = text.replace(PLACEHOLDER, (match, name: string) => {
    const value = values[name];
    isComplete &&= value !== undefined;
    if (value === undefined) return match;
    return typeof value === 'string' ? value : number.format(value);
  });
  return isComplete ? formatted : undefined;
}

/** Returns the text of a key in the language of the user. The compiler checks the values of its placeholders. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageArguments<Key>) => string;

/**
 * Returns the function that translates. It returns the key itself when the message or a value is missing, because a page must not
 * fail for a text: keys can be built from a code that a newer host sends.
 */
export const createTranslate = (catalog: Partial<Catalog>, formats: MessageFormats): Translate => {
  return (key, ...[values = {}]: [MessageValues?]) => {
    const message = catalog[key];
    return (message === undefined ? undefined : formatMessage(message, values, formats)) ?? key;
  };
};
