import { foldText } from '@sluice/contract';
import { type Conditions, parameter } from './audit-search-statements.ts';

/** Characters with a meaning in a pattern of LIKE. */
const LIKE_SPECIAL = /[\\%_]/g;

/** Returns the words of a search, folded as `audit_text` folds target and SQL of a record, each once. */
export const searchWordsOf = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];

/** Returns the condition that target and SQL of a row contain every word, also within longer words. */
export function textCondition(conditions: Conditions, words: readonly string[], row = ''): string {
  const patterns = words.map((word) => `%${word.replace(LIKE_SPECIAL, '\\$&')}%`);
  return textMatches(parameter(conditions, patterns), row);
}

const textMatches = (patterns: string, row: string): string =>
  `audit_text(${row}target, ${row}metadata) like all (${patterns}::text[])`;

/**
 * Returns the condition that a row `l` or, for the outcome of a query, its record contains every word. `$1` is the tenant. The record is found
 * by the query's id, because no index begins with the id of a record.
 */
export function textConditionOfAnyRow(conditions: Conditions, words: readonly string[]): string {
  const own = textCondition(conditions, words, 'l.');
  const patterns = `$${conditions.values.length}`;
  return `(${own} or l.record_id is not null and exists (
    select from audit_log r where r.tenant_id = $1 and r.query_id = l.query_id and r.record_id is null and r.id = l.record_id
      and ${textMatches(patterns, 'r.')}))`;
}
