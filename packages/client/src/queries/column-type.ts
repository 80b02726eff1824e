/** Type of a column, parsed from its name, such as `map(varchar,array(bigint))`. */
export type ColumnType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'array'; readonly element: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'row'; readonly fields: readonly { readonly name: string; readonly type: ColumnType }[] };

/** Splits at commas outside of parentheses and double quotes. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Reads `name type` of a field; a name in double quotes has them doubled inside. */
function parseField(text: string): { name: string; type: ColumnType } | undefined {
  const [all, quoted, plain] = /^\s*(?:"((?:[^"]|"")*)"|([^\s"]+))\s+/.exec(text) ?? [];
  if (all === undefined) return undefined;
  return { name: quoted?.replaceAll('""', '"') ?? plain ?? '', type: parseColumnType(text.slice(all.length)) };
}

/** Parses a type name. A form that is not known is a scalar, whose values stay as they are. */
export function parseColumnType(name: string): ColumnType {
  const scalar: ColumnType = { kind: 'scalar', name };
  const [, base, inner] = /^(array|map|row)\((.*)\)$/s.exec(name) ?? [];
  if (base === undefined || inner === undefined) return scalar;
  if (base === 'array') return { kind: 'array', element: parseColumnType(inner) };
  const parts = splitArguments(inner);
  if (base === 'map') {
    const [key, value] = parts;
    if (parts.length !== 2 || key === undefined || value === undefined) return scalar;
    return { kind: 'map', key: parseColumnType(key.trim()), value: parseColumnType(value.trim()) };
  }
  const fields = parts.map(parseField);
  return fields.every((field) => field !== undefined) ? { kind: 'row', fields } : scalar;
}
