import { CELL_CHARACTERS_MAX, LONG_STRING } from '@sluice/encoders';
import { sqlString } from '../sql-text.ts';

/**
 * Characters that XML 1.0 cannot contain (section 2.2), in RE2 syntax, like all patterns here. `xmlText` of the encoders does the
 * same in JavaScript.
 */
const INVALID_XML = String.raw`\x00-\x08\x0B\x0C\x0E-\x1F\x{FFFE}\x{FFFF}`;
const SPECIAL = String.raw`[\x00-\x1F&<>\x{FFFE}\x{FFFF}]|_x[0-9A-Fa-f]{4}_`;
const LOOKS_ESCAPED = '_x[0-9A-Fa-f]{4}_';

/**
 * Returns SQL of a string as XML. `text` is a name, because it occurs often. One pattern, which almost no string matches, checks
 * whether there is anything to escape. A string counts as long by its bytes, which are never fewer than its characters; the writer
 * of the sheet checks exactly.
 */
export const xmlTextSql = (text: string): string => {
  const escaped = escapedSql(text);
  const long = `concat(${sqlString(LONG_STRING.open)}, ${escaped}, ${sqlString(LONG_STRING.close)})`;
  return `CASE WHEN strlen(${text}) > ${CELL_CHARACTERS_MAX} THEN ${long} WHEN regexp_matches(${text}, ${sqlString(SPECIAL)}) THEN ${escaped} ELSE ${text} END`;
};

function escapedSql(text: string): string {
  const distinct = `CASE WHEN regexp_matches(${text}, '${LOOKS_ESCAPED}') THEN replace(${text}, '_x', '_x005F_x') ELSE ${text} END`;
  const references = [
    ["'&'", "'&amp;'"],
    ["'<'", "'&lt;'"],
    ["'>'", "'&gt;'"],
    ['chr(13)', "'&#13;'"],
  ].reduce((sql, [from, to]) => `replace(${sql}, ${from}, ${to})`, distinct);
  const pieces = `regexp_extract_all(${references}, '[${INVALID_XML}]|[^${INVALID_XML}]+')`;
  const piece = `CASE WHEN regexp_matches(x, '^[${INVALID_XML}]') THEN printf('_x%04X_', unicode(x)) ELSE x END`;
  const rewritten = `list_aggregate(list_transform(${pieces}, lambda x: ${piece}), 'string_agg', '')`;
  return `CASE WHEN regexp_matches(${text}, '[${INVALID_XML}]') THEN ${rewritten} ELSE ${references} END`;
}
