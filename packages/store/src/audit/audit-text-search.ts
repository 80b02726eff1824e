import { foldText } from '@sluice/contract';
import { OUTCOME_WITHIN_MS } from './audit-outcome-statement.ts';
import { type Conditions, parameter } from './audit-search-statements.ts';

/** Characters with a meaning in a pattern of LIKE. */
const LIKE_SPECIAL = /[\\%_]/g;

/** Returns the words of a search, folded as `audit_text` folds target, SQL and message of a record, each once. */
export const searchWordsOf = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];

/** Row of a record in a statement. */
interface SearchedRow {
  /** Its name, such as `l`. */
  readonly row: string;
  /** Parameter of the snapshot that must see the outcome; absent: that of the statement. */
  readonly snapshot?: string | undefined;
}

const textMatches = (target: string, row: string, patterns: string): string =>
  `audit_text(${target}, ${row}.metadata) like all (${patterns}::text[])`;

/**
 * Returns the expression of the messages in the outcomes of a record: null without an outcome, empty without a message. Most queries end within
 * two days, so that one or two months are looked in. `$1` is the tenant. The message is read from the log itself: no index can be wrong.
 */
function messagesOf({ row, snapshot }: SearchedRow): string {
  const visible = snapshot === undefined ? '' : ` and pg_visible_in_snapshot(o.xact, ${snapshot}::pg_snapshot)`;
  const within = (range: string): string => `(
    select string_agg(coalesce(o.metadata #>> '{error,message}', ''), E'\\n') from audit_log o
    where o.tenant_id = $1 and o.record_id = ${row}.id and ${range}${visible})`;
  const later = `${row}.occurred + interval '${OUTCOME_WITHIN_MS} milliseconds'`;
  return `coalesce(${within(`o.occurred >= ${row}.occurred and o.occurred < ${later}`)}, ${within(`o.occurred >= ${later}`)})`;
}

/** Returns the condition that target, SQL and messages of a record contain every word. With OFFSET, the messages are read once. */
const matchesWithMessages = (searched: SearchedRow, patterns: string): string => `exists (
  select from (select ${messagesOf(searched)} as messages offset 0) outcome
  where outcome.messages <> '' and ${textMatches(`${searched.row}.target || E'\\n' || outcome.messages`, searched.row, patterns)})`;

/** Adds the patterns of words, which may be within longer words, and returns their placeholder. */
const patternsOf = (conditions: Conditions, words: readonly string[]): string =>
  parameter(
    conditions,
    words.map((word) => `%${word.replace(LIKE_SPECIAL, '\\$&')}%`),
  );

/** Returns the condition that target and SQL of a record, with the message of its outcome, contain every word. `$1` is the tenant. */
export function textCondition(conditions: Conditions, words: readonly string[], searched: SearchedRow): string {
  const { row } = searched;
  const patterns = patternsOf(conditions, words);
  const own = textMatches(`${row}.target`, row, patterns);
  return `(${own} or ${row}.query_id is not null and ${matchesWithMessages(searched, patterns)})`;
}

/**
 * Returns the condition that a row `l` matches: as a record, or as the outcome of one that does. `$1` is the tenant. The record of an outcome is
 * found by the query's id, because no index begins with the id of a record.
 */
export function textConditionOfAnyRow(conditions: Conditions, words: readonly string[]): string {
  const patterns = patternsOf(conditions, words);
  return `(${textMatches('l.target', 'l', patterns)} or l.query_id is not null and case when l.record_id is null
    then ${matchesWithMessages({ row: 'l' }, patterns)}
    else exists (
      select from audit_log r where r.tenant_id = $1 and r.query_id = l.query_id and r.record_id is null and r.id = l.record_id
        and (${textMatches('r.target', 'r', patterns)} or ${matchesWithMessages({ row: 'r' }, patterns)}))
    end)`;
}
