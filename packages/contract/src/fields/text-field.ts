import { z } from 'zod';

/**
 * Rules of texts as JSON Schema patterns: OpenAPI is made from the schemas, and what a refinement checks has to be said there too. Half a
 * surrogate pair needs none, since it is not UTF-8.
 */
export const TEXT_PATTERNS = {
  storable: '^[^\\u0000]*$',
  notBlank: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
  address: '^[^\\u0000-\\u0020\\u007f\\\\]+$',
} as const;

/** Text that PostgreSQL can hold. `name` is how messages call it. */
export const storableText = (name: string) =>
  z
    .string({ error: `${name} must be a string` })
    .refine((text) => !text.includes('\0'), `${name} must not contain the NUL character`)
    .refine((text) => text.isWellFormed(), `${name} must be well-formed Unicode: it has half of a surrogate pair`)
    .meta({ pattern: TEXT_PATTERNS.storable });

/** Characters as people count them, not UTF-16 units. */
export const hasAtMost = (text: string, charactersMax: number): boolean =>
  text.length <= charactersMax || [...text].length <= charactersMax;

/** Storable text of at most this many characters. */
export const boundedText = (name: string, charactersMax: number) =>
  storableText(name)
    .refine((text) => hasAtMost(text, charactersMax), `${name} must have at most ${charactersMax} characters`)
    .meta({ maxLength: charactersMax });

/** The same, with more in it than white space. */
export const filledText = (name: string, charactersMax: number) =>
  boundedText(name, charactersMax)
    .refine((text) => text.trim() !== '', `${name} must not be empty`)
    .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1 });
