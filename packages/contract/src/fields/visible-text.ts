/**
 * Pattern of the characters that are invisible, move the text around them, or end a line: controls (C0, C1), bidirectional controls
 * (Unicode UAX 9), the soft hyphen, zero-width and tag characters, and halves of surrogate pairs. The joiners U+200C and U+200D belong to
 * scripts and emoji and stay.
 */
export const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\u{e0000}-\u{e007f}]/u;

const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Each half of a surrogate pair has an escape of its own, as in JSON. */
const escapeOf = (character: string): string =>
  NAMED[character] ??
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Shows invisible characters of untrusted text as escapes, so that no terminal executes them. Line feeds and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(ALL_INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  );

/** The same on one line: line feeds and tabs are escapes too. */
export const visibleLine = (text: string): string => text.replace(ALL_INVISIBLE, escapeOf);

/** Replaces these characters in the name of a file, a folder or a sheet, which could otherwise look like another name. */
export const withoutUnsafe = (name: string): string => name.replace(ALL_INVISIBLE, '_');
