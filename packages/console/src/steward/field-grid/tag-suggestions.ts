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

/**
 * Returns tags in use that contain what is typed: those that begin with it first, then in the given order. Tags that the cell has already are
 * left out.
 */
export function suggestTags(known: readonly string[], { head, tag }: TypedTag): readonly string[] {
  const typed = tag.trim().toLowerCase();
  if (typed === '') return [];
  const present = new Set(head.split(';').map((each) => each.trim().toLowerCase()));
  const matches = known.filter((each) => {
    const key = each.toLowerCase();
    return key.includes(typed) && key !== typed && !present.has(key);
  });
  const begins = (each: string): boolean => each.toLowerCase().startsWith(typed);
  return [...matches.filter(begins), ...matches.filter((each) => !begins(each))].slice(0, OFFERED_MAX);
}
