/** Matches that are fetched and sorted at once. A query with more is walked in the order of its sort key. */
const SORTED_MAX = 200;

/**
 * `search_page` of the baseline for any number of tiers up to six: the hosts of the previous version send four. As before, it stops and
 * returns no total when it needs a count that is not kept; the host then has it counted on a separate connection (`may_count`).
 */
export const searchPageOfTiers = `/*
   * Returns the page of a search: place 0 carries the total and the counts that are worth keeping, places from 1 on the hits.
   * A null total means that something must be counted first. tiers are queries, each containing the previous one, from the
   * closest match to any match; null finds everything. driver is the part of the last tier without the word that may only be
   * begun, if the search has other words. account is null for an account that may see everything.
   */
  create or replace function search_page(
      wanted_type text, account uuid, tiers tsquery[], driver tsquery, sort text, is_descending boolean,
      first_place bigint, places bigint, may_count boolean)
    returns table (place bigint, fact_id uuid, tier integer, total bigint, worth_keeping jsonb)
    language plpgsql stable security definer set search_path = pg_catalog, public
    set enable_seqscan = off set max_parallel_workers_per_gather = 0 set jit = off
    set plan_cache_mode = force_generic_plan as $body$
  declare
    audience text := case when account is null then 'all' else 'public' end;
    own uuid[] := case when account is not null then search_own(wanted_type, account) end;
    widest integer := coalesce(cardinality(tiers), 1);
    anywhere tsquery := tiers[cardinality(tiers)];
    -- Of the tiers, the driver, and everything.
    kept bigint[] := search_kept_counts(wanted_type, audience,
      case when tiers is null then array[null]::tsquery[] else tiers || array[driver, null]::tsquery[] end);
    kept_driver bigint := case when tiers is not null then kept[widest + 1] end;
    hits search_hit[];
    found bigint;
    entries bigint := case when tiers is null then kept[1] else kept[widest + 2] end;
    totals bigint[] := array_fill(null::bigint, array[widest]);
    needed integer;
    ordering text;
    unwanted tsquery;
    rest_from bigint := first_place;
    rest bigint := places;
    done bigint := 0;
    inside bigint;
    taken bigint;
    step integer;
    is_driven boolean;
    counts jsonb := '[]';
  begin
    if tiers is not null and kept[widest] is null then
      -- A word that is only begun is dear to look up: where the whole words are rare, it is looked for in their matches.
      is_driven := driver is not null and kept_driver is null;
      if is_driven then
        select array_agg(s.hit) filter (where s.fits), count(*) filter (where s.fits), count(*) <= ${SORTED_MAX}
          into hits, found, is_driven from (
          select row(e.fact_id, search_tier(e.words, tiers), e.sort_name, e.updated, e.query_count)::search_hit as hit,
            e.words @@ anywhere and (own is null or e.is_public or e.fact_id = any (own)) as fits
          from search_entries e
          where e.words @@ driver and e.tenant_id is not distinct from search_tenant()
            and e.type is not distinct from wanted_type
          limit ${SORTED_MAX + 1}) s;
        if not is_driven then
          if not may_count then
            return query select 0::bigint, null::uuid, null::integer, null::bigint, null::jsonb;
            return;
          end if;
          counts := counts || jsonb_build_array(jsonb_build_object(
            'query', driver::text, 'count', search_count(wanted_type, audience, driver)));
        end if;
      end if;
      if not is_driven then
        select array_agg(s.hit), count(*) into hits, found from (
          select row(e.fact_id, search_tier(e.words, tiers), e.sort_name, e.updated, e.query_count)::search_hit as hit
          from search_entries e
          where e.words @@ anywhere and e.tenant_id is not distinct from search_tenant()
            and e.type is not distinct from wanted_type
            and (own is null or e.is_public or e.fact_id = any (own))
          limit ${SORTED_MAX + 1}) s;
      end if;
      if found <= ${SORTED_MAX} then
        return query select 0::bigint, null::uuid, null::integer, found, search_keepsake(counts);
        return query execute format(
          'select row_number() over (order by %1$s) + $2, fact_id, tier, null::bigint, null::jsonb from (
             select * from unnest($1) order by %1$s offset $2 limit $3) h',
          search_order(sort, is_descending))
          using hits, first_place, places;
        return;
      end if;
    end if;

    if kept[widest] is null then
      if not may_count then
        return query select 0::bigint, null::uuid, null::integer, null::bigint, null::jsonb;
        return;
      end if;
      kept[widest] := search_count(wanted_type, audience, anywhere);
      counts := counts || jsonb_build_array(jsonb_build_object('query', anywhere::text, 'count', kept[widest]));
      if tiers is null then entries := kept[widest]; end if;
    end if;
    if entries is null then
      -- Of all tenants and types, but only to tell many from few.
      entries := (select greatest(reltuples, 1) from pg_class where oid = 'search_entries'::regclass);
    end if;
    totals[widest] := kept[widest];
    if own is not null then totals[widest] := kept[widest] + search_count_own(own, anywhere); end if;

    if tiers is null or sort <> 'relevance' then
      if sort = 'relevance' then sort := 'query_count'; end if;
      if tiers is null then
        return query select row_number() over () + first_place, h, null::integer, null::bigint, null::jsonb
          from search_walk(wanted_type, own, null, null, sort, is_descending, first_place, places) h;
      elsif search_sorts(anywhere, totals[widest], entries, first_place + places) then
        ordering := search_order(sort, is_descending);
        return query select row_number() over () + first_place, h, (
            select search_tier(e.words, tiers) from search_entries e
            where e.tenant_id = search_tenant() and e.fact_id = h), null::bigint, null::jsonb
          from search_sorted(wanted_type, own, anywhere, null, ordering, first_place, places) h;
      else
        return query select row_number() over () + first_place, h, (
            select search_tier(e.words, tiers) from search_entries e
            where e.tenant_id = search_tenant() and e.fact_id = h), null::bigint, null::jsonb
          from search_walk(wanted_type, own, anywhere, null, sort, is_descending, first_place, places) h;
      end if;
      return query select 0::bigint, null::uuid, null::integer, totals[widest], search_keepsake(counts);
      return;
    end if;

    ordering := search_order('query_count', is_descending);
    for i in 1..widest loop
      exit when rest = 0;
      step := case when is_descending then i else widest + 1 - i end;
      -- A tier is counted when the page may reach it, no sooner.
      foreach needed in array array[step, greatest(step - 1, 1)] loop
        if totals[needed] is null then
          if kept[needed] is null then
            if not may_count then
              return query select 0::bigint, null::uuid, null::integer, null::bigint, null::jsonb;
              return;
            end if;
            kept[needed] := search_count(wanted_type, audience, tiers[needed]);
            counts := counts
              || jsonb_build_array(jsonb_build_object('query', tiers[needed]::text, 'count', kept[needed]));
          end if;
          totals[needed] := kept[needed];
          if own is not null then totals[needed] := kept[needed] + search_count_own(own, tiers[needed]); end if;
        end if;
      end loop;
      inside := totals[step] - case when step = 1 then 0 else totals[step - 1] end;
      taken := least(rest, inside - rest_from);
      if taken > 0 then
        unwanted := case when step > 1 then tiers[step - 1] end;
        if search_sorts(tiers[step], inside, entries, rest_from + taken) then
          return query select row_number() over () + first_place + done, h, step, null::bigint, null::jsonb
            from search_sorted(wanted_type, own, tiers[step], unwanted, ordering, rest_from, taken) h;
        else
          return query select row_number() over () + first_place + done, h, step, null::bigint, null::jsonb
            from search_walk(
              wanted_type, own, tiers[step], unwanted, 'query_count', is_descending, rest_from, taken) h;
        end if;
        done := done + taken;
        rest := rest - taken;
        rest_from := 0;
      else
        rest_from := rest_from - inside;
      end if;
    end loop;
    return query select 0::bigint, null::uuid, null::integer, totals[widest], search_keepsake(counts);
  end $body$;`;
