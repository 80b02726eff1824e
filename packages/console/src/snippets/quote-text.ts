/**
 * Characters that a terminal obeys, or that move or hide what is around them. A program that is pasted must not have them, apart from
 * line ends and tabs.
 */
const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc]/gu;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Quotes a string as a literal of JSON, JavaScript and Python. */
export const quoteJson = (text: string): string =>
  JSON.stringify(text).replace(HIDDEN, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);

/** Returns a string as one word of bash. */
export function quoteShell(text: string): string {
  if (text.search(HIDDEN) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  // Bytes do not depend on the language of the shell, as \u does.
  const bytesOf = (character: string): string =>
    [...new TextEncoder().encode(character)].map((byte) => `\\x${hex(byte, 2)}`).join('');
  return `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replace(HIDDEN, bytesOf)}'`;
}
