import type { TableName } from './parse-table-name.ts';

/** A part that needs no quotes: `parseTableName` reads it back unchanged. */
const PLAIN = /^[^".]+$/;

const formatPart = (part: string): string => (PLAIN.test(part) ? part : `"${part.replaceAll('"', '""')}"`);

/** Returns `catalog.schema.name`, with parts in double quotes where needed. The inverse of `parseTableName`. */
export const formatTableName = ({ catalog, schema, name }: TableName): string =>
  [catalog, schema, name].map(formatPart).join('.');
