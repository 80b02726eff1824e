import type { SchemaStep } from './migration.ts';
import { searchPageOfTiers } from './search-page-of-tiers.ts';

/** Costs of fetching a match and of reading a row of a walk, relative to a posting. */
const MATCH_COST = 4;
const WALK_COST = 3;

/** Vocabulary words that replace a word which is only a part of them. */
const CONTAINING_MAX = 20;

/**
 * Searches exact names, beginnings of names and parts of names. The hosts write the new lexemes, so entries that a host of an earlier version has
 * written get them later: `words_version` is 0 for those. A host of this version increases it with each write; when the words change and it does
 * not, the writer was an earlier one.
 */
export const searchNamesStep: SchemaStep = {
  name: '0041-search-names',
  sql: `
  alter table search_entries add column words_version bigint not null default 0;

  create function mark_outdated_search_words() returns trigger language plpgsql as $body$
  begin
    new.words_version := 0;
    return new;
  end $body$;
  create trigger search_entries_of_earlier_hosts before update on search_entries for each row
    when (old.words is distinct from new.words and new.words_version = old.words_version)
    execute function mark_outdated_search_words();

  create or replace function search_tier(words tsvector, tiers tsquery[]) returns integer language sql immutable as $body$
    select case when words @@ tiers[1] then 1 when words @@ tiers[2] then 2 when words @@ tiers[3] then 3
      when words @@ tiers[4] then 4 when words @@ tiers[5] then 5 else cardinality(tiers) end
  $body$;

  -- As in the baseline, but only words that must all match count: alternatives of a word do not make it rarer.
  create or replace function search_sorts(wanted tsquery, matches bigint, entries bigint, last_place bigint) returns boolean
    language plpgsql immutable as $body$
  declare
    words double precision := array_length(string_to_array(wanted::text, ' & '), 1);
    share double precision := least(1, greatest(matches, 1)::double precision / greatest(entries, 1));
  begin
    return wanted is not null and words * entries * power(share, 1 / words) + ${MATCH_COST} * matches
      < ${WALK_COST} * least(entries, last_place / share);
  end $body$;

  ${searchPageOfTiers}

  -- Words of entries that contain a word; the shortest, because they are closest.
  create function search_words_with(part text) returns setof text
    language sql stable security definer set search_path = pg_catalog, public set enable_seqscan = off as $body$
    select w.word from search_words w
    where w.tenant_id = search_tenant() and w.word like '%' || part || '%' and w.word <> part
    order by length(w.word), w.word limit ${CONTAINING_MAX}
  $body$;
  revoke all on function mark_outdated_search_words(), search_words_with(text) from public;
`,
};
