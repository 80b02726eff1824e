/** Control characters and those that reorder or hide text: C0, C1, bidi marks, line separators, the byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must reach no terminal and no file name
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOf = (character: string): string =>
  NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Shows control characters of untrusted text as escapes, so that no terminal executes them. Line feeds and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escapeOf(character)));

/** The same on one line: line feeds and tabs are escapes too. */
export const visibleLine = (text: string): string => text.replace(UNSAFE, escapeOf);

/** Replaces these characters in the name of a file, a folder or a sheet, which could otherwise look like another name. */
export const withoutUnsafe = (name: string): string => name.replace(UNSAFE, '_');
