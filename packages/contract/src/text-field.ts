import { z } from 'zod';

/** Text that PostgreSQL can hold. `name` is how messages call it. */
export const storableText = (name: string) =>
  z
    .string({ error: `${name} must be a string` })
    .refine((text) => !text.includes('\0'), `${name} must not contain the NUL character`)
    .refine((text) => text.isWellFormed(), `${name} must be well-formed Unicode: it has half of a surrogate pair`);

/** Characters as people count them, not UTF-16 units. */
export const hasAtMost = (text: string, charactersMax: number): boolean =>
  text.length <= charactersMax || [...text].length <= charactersMax;
