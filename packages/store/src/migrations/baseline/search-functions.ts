import { searchPageFunction } from './search-page-function.ts';

/** Costs of fetching a match and of reading a row of a walk, relative to a posting. */
const MATCH_COST = 4;
const WALK_COST = 3;

const SORTS = ['updated', 'query_count', 'sort_name'] as const;

/** Returns a separate statement for each ordering, which a connection plans once. */
const walkOf = (sort: (typeof SORTS)[number], direction: 'asc' | 'desc', isAsked: boolean): string => `
      when '${sort} ${direction}${isAsked ? ' asked' : ''}' then
        return query select e.fact_id from search_entries e
          where e.tenant_id = search_tenant() and e.type = wanted_type
            and (own is null or e.is_public or e.fact_id = any (own))
            ${isAsked ? 'and e.words @@ wanted and (unwanted is null or not (e.words @@ unwanted))' : ''}
          order by e.${sort} ${direction}, e.fact_id ${direction} offset first_place limit places;`;

const walks = (): string =>
  SORTS.flatMap((sort) =>
    (['asc', 'desc'] as const).flatMap((direction) => [false, true].map((isAsked) => walkOf(sort, direction, isAsked))),
  ).join('');

/**
 * Row-level security keeps `@@` from using an index (it is not leakproof), so these functions run as the owner of the tables and check the
 * tenant of `sluice.tenant_id` themselves. All functions of a search are STABLE: they see one snapshot, so counts, page and the columns
 * that the calling statement joins are consistent. `is not distinct from` and the settings take the choice of an index away from the
 * planner, whose estimates for word prefixes are far off: each statement uses either a GIN index or an ordered walk, as intended.
 */
export const searchFunctions = `
  create type search_hit as
    (fact_id uuid, tier integer, sort_name text, updated timestamptz, query_count bigint);

  create function search_tenant() returns uuid language sql stable as
    $body$ select nullif(nullif(current_setting('sluice.tenant_id', true), ''), '*')::uuid $body$;

  create function search_order(sort text, is_descending boolean) returns text language sql immutable as $body$
    select case when sort = 'relevance'
      then case when is_descending then 'tier, query_count desc, fact_id desc' else 'tier desc, query_count, fact_id' end
      else format(case when is_descending then '%1$I desc, fact_id desc' else '%1$I, fact_id' end, sort) end
  $body$;

  create function search_tier(words tsvector, tiers tsquery[]) returns integer language sql immutable as $body$
    select case when words @@ tiers[1] then 1 when words @@ tiers[2] then 2 when words @@ tiers[3] then 3 else 4 end
  $body$;

  -- Entries that an account sees although they are not public: few, and found by their owner or steward.
  create function search_own(wanted_type text, account uuid) returns uuid[]
    language sql stable security definer set search_path = pg_catalog, public set enable_seqscan = off as $body$
    select coalesce(array_agg(e.fact_id), '{}') from search_entries e
    where e.tenant_id = search_tenant() and not e.is_public and (e.owner_id = account or e.steward_id = account)
      and e.type = wanted_type
  $body$;

  create function search_sorted(
      wanted_type text, own uuid[], wanted tsquery, unwanted tsquery, ordering text, first_place bigint, places bigint)
    returns setof uuid
    language plpgsql stable security definer set search_path = pg_catalog, public
    set work_mem = '32MB' as $body$
  begin
    return query execute format(
      'select e.fact_id from search_entries e
       where e.words @@ $4 and e.tenant_id is not distinct from $1 and e.type is not distinct from $2
         and ($3 is null or e.is_public or e.fact_id = any ($3)) %s
       order by %s offset $6 limit $7',
      case when unwanted is null then '' else 'and not (e.words @@ $5)' end, ordering)
      using search_tenant(), wanted_type, own, wanted, unwanted, first_place, places;
  end $body$;

  /*
   * Returns whether sorting all matches costs less than walking the ordering up to the last place. A walk reads rows until it has found
   * that many matches. A sort fetches each match, and before that the postings of each word; their number is estimated as if the words
   * were independent.
   */
  create function search_sorts(wanted tsquery, matches bigint, entries bigint, last_place bigint) returns boolean
    language plpgsql immutable as $body$
  declare
    words double precision := (numnode(wanted) + 1) / 2;
    share double precision := least(1, greatest(matches, 1)::double precision / greatest(entries, 1));
  begin
    return wanted is not null and words * entries * power(share, 1 / words) + ${MATCH_COST} * matches
      < ${WALK_COST} * least(entries, last_place / share);
  end $body$;

  -- Returns matches in the order of a sort key, without a sort. Planning a page of ten each time costs more than reading it.
  create function search_walk(
      wanted_type text, own uuid[], wanted tsquery, unwanted tsquery, sort text, is_descending boolean,
      first_place bigint, places bigint)
    returns setof uuid
    language plpgsql stable
    set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $body$
  begin
    case (sort || case when is_descending then ' desc' else ' asc' end || case when wanted is null then '' else ' asked' end)
${walks()}
    end case;
  end $body$;

  ${searchPageFunction}

  -- Returns replacements for a word that no entry contains: words one typo away, or else similar words by trigrams if the server has
  -- them. Planning this for each of the hundreds of words that one typo may have made costs four times as much (measured).
  create function similar_search_words(wanted text, is_prefix boolean, edits text[]) returns setof text
    language plpgsql stable security definer set search_path = pg_catalog, public
    set plan_cache_mode = force_generic_plan set enable_seqscan = off as $body$
  declare
    place name;
  begin
    if exists (select from search_words w where w.tenant_id = search_tenant()
        and (w.word = wanted or is_prefix and w.word > wanted and w.word < wanted || chr(1114111))) then
      return;
    end if;
    return query select w.word from search_words w
      where w.tenant_id = search_tenant() and w.word = any (edits) order by w.word limit 5;
    if found then return; end if;
    select n.nspname into place from pg_extension x join pg_namespace n on n.oid = x.extnamespace
      where x.extname = 'pg_trgm';
    if place is null then return; end if;
    return query execute format(
      'select w.word from search_words w
       where w.tenant_id = $1 and w.word operator(%1$I.%%) $2 and abs(length(w.word) - length($2)) <= 2
       order by %1$I.similarity(w.word, $2) desc, w.word limit 3', place)
      using search_tenant(), wanted;
  end $body$;

  revoke all on function search_tenant(), search_own(text, uuid),
    search_sorted(text, uuid[], tsquery, tsquery, text, bigint, bigint), search_sorts(tsquery, bigint, bigint, bigint),
    search_walk(text, uuid[], tsquery, tsquery, text, boolean, bigint, bigint),
    search_page(text, uuid, tsquery[], tsquery, text, boolean, bigint, bigint, boolean),
    similar_search_words(text, boolean, text[]) from public;
`;
