import { isUuid } from '../database/uuid.ts';

/** Tables whose parent names are given, and whose next name begins with a prefix. */
export interface TableBeginning {
  /** Catalog, or catalog and schema, or neither. */
  readonly parents: readonly string[];
  /** Beginning of the name of the catalog, schema or table that follows the parents. */
  readonly beginning: string;
}

/** Catalog, schema and name. */
type NameKey = readonly [catalog: string, schema: string, name: string];

/** U+10FFFF is not a character and sorts after every name. PostgreSQL stores no NUL, so nothing sorts between a name and its successor. */
const LAST = '\u{10FFFF}';
const successorOf = (name: string): string => `${name}\u0001`;

/** Returns the first key of a page, and the key before which the beginning ends, in the order of bytes. */
export function tableBounds(
  { parents, beginning }: TableBeginning,
  after: NameKey | undefined,
): { readonly first: NameKey; readonly end: NameKey } {
  const keyOf = (last: string): NameKey => {
    const [catalog = '', schema = '', name = ''] = [...parents, last];
    return [catalog, schema, name];
  };
  const first: NameKey = after === undefined ? keyOf(beginning) : [after[0], after[1], successorOf(after[2])];
  return { first, end: keyOf(`${beginning}${LAST}`) };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the first and the last uuid that begin with a prefix, or undefined if none does. */
export function idBounds(beginning: string): { readonly first: string; readonly last: string } | undefined {
  const first = beginning + FIRST_ID.slice(beginning.length);
  if (!isUuid(first) || first !== first.toLowerCase()) return undefined;
  return { first, last: beginning + LAST_ID.slice(beginning.length) };
}
