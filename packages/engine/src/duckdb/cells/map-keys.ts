import { KEY_CHARACTERS_MAX, missingKeyMessage, repeatedKeyMessage } from '../../map-key-messages.ts';
import { sqlLet, sqlString } from '../sql-text.ts';

/**
 * Returns SQL that is true if the keys of a map are not NULL and their texts are distinct, and ends the query otherwise. A cast can
 * produce such keys: TRY_CAST writes NULL for one that it cannot convert, and '1' and '01' are both 1. JSON has no key for NULL, and a
 * reader keeps one of two equal keys. The cell of the map is beside this and not inside: planning time doubles with each lambda around it.
 * @param texts - SQL of the list of the keys' texts; NULL for a map that is NULL
 */
export function hasDistinctKeys(texts: string, column: string): string {
  const [before, after] = repeatedKeyMessage(column).map(sqlString);
  const repeated = `left(list_filter(ks, lambda k, i: list_position(ks, k) < i)[1], ${KEY_CHARACTERS_MAX})`;
  const message = `CASE WHEN list_count(ks) < len(ks) THEN ${sqlString(missingKeyMessage(column))} ELSE concat(${before}, ${repeated}, ${after}) END`;
  // list_unique does not count NULL.
  return sqlLet('ks', texts, `CASE WHEN list_unique(ks) < len(ks) THEN error(${message}) ELSE true END`);
}
