import { caselessKey } from './case-folding.ts';
import { listOf } from './list-of.ts';
import { hasAtMost, storableText, TEXT_PATTERNS } from './text-field.ts';

const TAG_CHARACTERS_MAX = 256;
/** Maximum number of tags of one list in a request, and of one object or field. */
export const TAGS_MAX = 1000;

/** Returns the key for comparing tags: `PII` and ` pii` are the same tag, and so are `Straße` and `STRASSE`. */
export const tagKey = (tag: string): string => caselessKey(tag.trim());

/** Returns the tags without duplicates. The first spelling of each tag is kept. */
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

/** List of tags. `name` is its key, for messages. */
export const tagList = (name: string) =>
  listOf(tag, { error: `${name} must be an array of strings` }).max(
    TAGS_MAX,
    `${name} must hold at most ${TAGS_MAX} tags`,
  );
