export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** A part as it stands, or in double quotes, where a quote is written twice (SQL:2016 part 2, delimited identifier). */
const PART = /(?:"((?:[^"]|"")+)"|([^".]+))(\.|$)/y;

/** The three parts of `catalog.schema.name`; undefined for what is no such name, so that nothing has it. */
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
