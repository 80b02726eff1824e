import { z } from 'zod';
import { caselessKey } from './case-folding.ts';
import { hasAtMost, storableText, TEXT_PATTERNS } from './text-field.ts';

export const TAG_CHARACTERS_MAX = 256;
/** Of one list in a request, and of what one object or field may carry. */
export const TAGS_MAX = 1000;

/** Key by which tags are compared: `PII` and ` pii` are one tag, as are `Straße` and `STRASSE`. */
export const tagKey = (tag: string): string => caselessKey(tag.trim());

/** The tags without repetitions; of several that are one tag, the first keeps its spelling. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const each of tags) if (!byKey.has(tagKey(each))) byKey.set(tagKey(each), each);
  return [...byKey.values()];
}

const tag = storableText('a tag')
  .overwrite((text) => text.trim())
  .refine((text) => text !== '', 'a tag must not be empty or blank')
  .refine((text) => hasAtMost(text, TAG_CHARACTERS_MAX), `a tag must have at most ${TAG_CHARACTERS_MAX} characters`)
  .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: TAG_CHARACTERS_MAX });

/** `name` is the key that holds the list. */
export const tagList = (name: string) =>
  z
    .array(tag, { error: `${name} must be an array of strings` })
    .max(TAGS_MAX, `${name} must hold at most ${TAGS_MAX} tags`);
