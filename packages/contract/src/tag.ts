import { z } from 'zod';
import { hasAtMost, storableText } from './text-field.ts';

export const TAG_CHARACTERS_MAX = 256;
/** Of one list in a request, and of what one object or field may carry. */
export const TAGS_MAX = 1000;

/** What tags are compared by: `PII` and ` pii` are one tag, and so are both ways to write an accented letter. */
export const tagKey = (tag: string): string => tag.trim().normalize('NFC').toLowerCase();

const tag = storableText('a tag')
  .overwrite((text) => text.trim())
  .refine((text) => text !== '', 'a tag must not be empty or blank')
  .refine((text) => hasAtMost(text, TAG_CHARACTERS_MAX), `a tag must have at most ${TAG_CHARACTERS_MAX} characters`);

/** `name` is the key that holds the list. */
export const tagList = (name: string) =>
  z
    .array(tag, { error: `${name} must be an array of strings` })
    .max(TAGS_MAX, `${name} must hold at most ${TAGS_MAX} tags`);
