import type { Catalog, MessageArguments, MessageKey } from './catalog.ts';
import { formatMessage, type MessageFormats, type MessageValues } from './format-message.ts';

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
