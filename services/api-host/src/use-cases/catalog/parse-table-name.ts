interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** A plain part, or a part in double quotes, where a quote is doubled (SQL:2016 part 2, delimited identifier). */
const PART = /(?:"((?:[^"]|"")+)"|([^".]+))(\.|$)/y;

/** Parses the three parts of `catalog.schema.name`; undefined if the text is not such a name. */
export function parseTableName(text: string): TableName | undefined {
  const parts: string[] = [];
  PART.lastIndex = 0;
  while (parts.length < 4) {
    const [match, quoted, plain, end] = PART.exec(text) ?? [];
    if (match === undefined) return undefined;
    parts.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') break;
  }
  const [catalog, schema, name, ...more] = parts;
  if (catalog === undefined || schema === undefined || name === undefined || more.length > 0) return undefined;
  return { catalog, schema, name };
}
