/** A part in double quotes, or one without dots and quotes. */
const PART = /(?:"((?:[^"]|"")*)"|([^".]+))(?:\.|$)/y;

/**
 * Splits a name such as `demo."odd.schema"."say ""hi"""` into its parts, as imports and datamaps write it. Undefined: the text is not such
 * a name.
 */
export function parseTableName(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const found = PART.exec(text);
    if (found === null) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
  }
  return parts.length > 0 && !text.endsWith('.') ? parts : undefined;
}
