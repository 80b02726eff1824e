import { UsageError } from '../errors.ts';

const PART = /"((?:[^"]|"")+)"|([^".]+)/y;

/**
 * Splits `catalog.schema.table` into its parts. A part with a dot or a quote is written `"a.b"`, with quotes doubled, as in SQL.
 * @throws UsageError if the text is not such a name, or has fewer or more parts
 */
export function parseQualifiedName(
  text: string,
  { min, max, form }: { readonly min: number; readonly max: number; readonly form: string },
): readonly string[] {
  const parts: string[] = [];
  let position = 0;
  for (;;) {
    PART.lastIndex = position;
    const [all, quoted, plain] = PART.exec(text) ?? [];
    if (all === undefined) break;
    parts.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    position += all.length;
    if (text[position] !== '.') break;
    position += 1;
  }
  if (position !== text.length || text.endsWith('.') || parts.length < min || parts.length > max)
    throw new UsageError(`Write the name as ${form}, not "${text}". Put a part with a dot into double quotes.`);
  return parts;
}

/** Writes one part of a name in quotes. */
export const quotedName = (part: string): string => `"${part.replaceAll('"', '""')}"`;

/** Writes the parts of a name as SQL does, with quotes where they are needed. */
export const qualifiedName = (parts: readonly string[]): string =>
  parts.map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) ? part : quotedName(part))).join('.');
