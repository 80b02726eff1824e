import type { TableBeginning } from '@sluice/store/catalog';

/** A part that is complete: in double quotes, where a quote is doubled, or without them. */
const COMPLETE_PART = /(?:"((?:[^"]|"")*)"|([^".]*))\./y;
/** Start of a part in double quotes; a quote at the end of the text may close it, or be the first of two. */
const STARTED_QUOTE = /^"((?:[^"]|"")*)"?$/;

/**
 * Returns the tables whose written names (`formatTableName`) can begin with a prefix: all of those, and possibly others, because quotes
 * appear only in some names. Undefined if no name can.
 */
export function tableBeginning(prefix: string): TableBeginning | undefined {
  const parents: string[] = [];
  let rest = prefix;
  for (;;) {
    COMPLETE_PART.lastIndex = 0;
    const [match, quoted, plain] = COMPLETE_PART.exec(rest) ?? [];
    if (match === undefined) break;
    if (parents.length === 2) return undefined;
    parents.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    rest = rest.slice(match.length);
  }
  if (!rest.startsWith('"')) return rest.includes('"') ? undefined : { parents, beginning: rest };
  const quoted = STARTED_QUOTE.exec(rest)?.[1];
  return quoted === undefined ? undefined : { parents, beginning: quoted.replaceAll('""', '"') };
}
