import fc from 'fast-check';

/** Strings that a format could confuse with its own marks, joined in any order. Not empty. */
export const hostileText = fc
  .array(
    fc.constantFrom(
      ...['\\N', '\\\\N', '\\', '\\;', ';', ',', '"', '""', '\n', '\r', '\r\n', ' ', '\ufeff', '\u2028'],
      ...['=1+1', 'é', '🦆', '{', ']}', 'x'],
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** Strings with more than white space. */
export const hostileName = hostileText.filter((text) => text.trim() !== '');
