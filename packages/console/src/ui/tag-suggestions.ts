/** Tags that are offered at once. */
const OFFERED_MAX = 8;

/** Part of a text in a cell of tags: the tag that is typed now. */
export interface TypedTag {
  /** Text before it, with the separator. */
  readonly head: string;
  readonly tag: string;
}

/** Returns the tag at the end of a text, which `;` separates from those before it. */
export function typedTag(text: string): TypedTag {
  const start = text.lastIndexOf(';') + 1;
  const rest = text.slice(start);
  const tag = rest.trimStart();
  return { head: text.slice(0, start + rest.length - tag.length), tag };
}

/** Words of a tag in lower case: `Time-series` and `time_series` have those of `time series`. */
const wordsOf = (tag: string): readonly string[] =>
  tag
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '');

const hasWords = (words: readonly string[], part: readonly string[]): boolean =>
  part.length > 0 && ` ${words.join(' ')} `.includes(` ${part.join(' ')} `);

/**
 * Returns tags in use that are like what is typed, with or without spaces, `-` and `_`: those that begin with it first, then those that contain it,
 * then those that it contains as a word. Within these, the given order is kept. Tags that the cell has already are left out.
 */
export function suggestTags(known: readonly string[], { head, tag }: TypedTag): readonly string[] {
  const typed = tag.trim().toLowerCase();
  const words = wordsOf(typed);
  const joined = words.join('');
  if (joined === '') return [];
  const left = new Set([...head.split(';').map((each) => each.trim().toLowerCase()), typed]);
  const others = known.filter((each) => !left.has(each.toLowerCase()));
  const positionOf = (each: string): number => wordsOf(each).join('').indexOf(joined);
  return [
    ...others.filter((each) => positionOf(each) === 0),
    ...others.filter((each) => positionOf(each) > 0),
    ...others.filter((each) => positionOf(each) === -1 && hasWords(words, wordsOf(each))),
  ].slice(0, OFFERED_MAX);
}

/**
 * Returns labels of the tags in use that are like what is typed but do not contain it: the list of a browser shows only what contains it.
 * @param present - tags that the field has already
 */
export function labelTags(
  known: readonly string[],
  present: readonly string[],
  typed: string,
): ReadonlyMap<string, string> {
  const text = typed.trim();
  const similar = suggestTags(known, { head: present.join(';'), tag: text });
  const others = similar.filter((tag) => !tag.toLowerCase().includes(text.toLowerCase()));
  return new Map(others.map((tag) => [tag, `${text} → ${tag}`]));
}
