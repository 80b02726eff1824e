interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** A plain part, or a part in double quotes, where a quote is doubled (SQL:2016 part 2, delimited identifier). */
const PART = /(?:"((?:[^"]|"")+)"|([^".]+))(\.|$)/y;

/** Names that are written without quotes. */
const PLAIN = /^[^\s".](?:[^".]*[^\s".])?$/;

/** Writes a name as `parseTableName` reads it. */
export const formatTableName = ({ catalog, schema, name }: TableName): string =>
  [catalog, schema, name].map((part) => (PLAIN.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.');

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
