import { z } from 'zod';

/**
 * JSON Schema patterns of text rules. OpenAPI is generated from the schemas and does not see refinements, so each rule is also
 * stated as a pattern. A lone surrogate needs none, because it cannot be encoded in UTF-8.
 */
export const TEXT_PATTERNS = {
  storable: '^[^\\u0000]*$',
  notBlank: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
  address: '^[^\\u0000-\\u0020\\u007f\\\\]+$',
} as const;

/** Text that PostgreSQL can store. `name` is used in messages. */
export const storableText = (name: string) =>
  z
    .string({ error: `${name} must be a string` })
    .refine((text) => !text.includes('\0'), `${name} must not contain the NUL character`)
    .refine((text) => text.isWellFormed(), `${name} must be well-formed Unicode: it has a lone surrogate`)
    .meta({ pattern: TEXT_PATTERNS.storable });

/** Checks a length in Unicode code points, not UTF-16 units. */
export const hasAtMost = (text: string, charactersMax: number): boolean =>
  text.length <= charactersMax || [...text].length <= charactersMax;

/** Storable text of limited length. */
export const boundedText = (name: string, charactersMax: number) =>
  storableText(name)
    .refine((text) => hasAtMost(text, charactersMax), `${name} must have at most ${charactersMax} characters`)
    .meta({ maxLength: charactersMax });

/** Storable text of limited length that is not blank. */
export const nonBlankText = (name: string, charactersMax: number) =>
  boundedText(name, charactersMax)
    .refine((text) => text.trim() !== '', `${name} must not be empty`)
    .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1 });
