import type { SchemaStep } from './migration.ts';

/** Rows of matches that are fetched and sorted at once; a query of more is walked in the order of its sort key. */
const SORTED_MAX = 200;
/** What it costs to fetch a match, and to look at a row of a walk, where a posting costs 1. */
const MATCH_COST = 4;
const WALK_COST = 3;
/** Changes that a kept count is brought up to date by in a search, or a tenth of the count; of more it is made anew. */
const UNSEEN_MAX = 5_000;
/** Looks at a change for a count that one carrying forward may take; counts that need more are forgotten, for that costs less. */
const LOOKS_MAX = 200_000;
/** A kept count is forgotten after so long; one that was dear to make, later. */
const COUNT_LIFE = '1 hour';
const DEAR_COUNT_LIFE = '1 day';
const DEAR_COUNT = 20_000;

const SORTS = ['updated', 'query_count', 'sort_name'] as const;

/** Of each ordering a statement of its own, which a connection plans once. */
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
 * Counting hundreds of thousands of matches takes longer than a search may, so `search_page` leaves off where it needs a count
 * that is not kept, and answers no total; the host has it counted on a connection of its own (`may_count`) and asks again. It is
 * `search_facts` otherwise, which hosts of the version before call.
 *
 * Kept counts stay cheap whatever happens: who finds too many changes unseen has the count made anew, and counts that cannot be
 * carried forward in time are forgotten, so that carrying never falls behind for good.
 */
export const searchCountingStep: SchemaStep = {
  name: '0021-search-counting',
  sql: `
    -- Kept counts of these queries, in their order; null where there is none that can be brought up to date in time.
    create function search_kept_counts(wanted_type text, wanted_audience text, wanted tsquery[]) returns bigint[]
      language plpgsql stable as $body$
    declare
      digests bytea[];
      kept bigint[] := array_fill(null::bigint, array[cardinality(wanted)]);
      c search_counts;
      changes bigint;
      delta bigint;
    begin
      for i in 1..cardinality(wanted) loop
        digests[i] := sha256(convert_to(coalesce(wanted[i]::text, ''), 'UTF8'));
      end loop;
      for c in select k.* from search_counts k
        where k.tenant_id = search_tenant() and k.type = wanted_type and k.audience = wanted_audience
          and k.digest = any (digests)
      loop
        select count(*), coalesce(sum(
            (coalesce(h.after @@ c.query, c.query is null) and h.after is not null
              and (c.audience = 'all' or h.is_public))::integer
          - (coalesce(h.before @@ c.query, c.query is null) and h.before is not null
              and (c.audience = 'all' or h.was_public))::integer), 0)
          into changes, delta
          from (
            select h.* from search_changes h
            where h.tenant_id = c.tenant_id and h.type = c.type and h.xid >= pg_snapshot_xmin(c.snapshot)
              and not pg_visible_in_snapshot(h.xid, c.snapshot)
            limit greatest(${UNSEEN_MAX}, c.count / 10) + 1) h;
        continue when changes > greatest(${UNSEEN_MAX}, c.count / 10);
        for i in 1..cardinality(wanted) loop
          if digests[i] = c.digest then kept[i] := c.count + delta; end if;
        end loop;
      end loop;
      return kept;
    end $body$;

    -- Whether it costs less to sort all matches than to walk the ordering up to the last place; search_places says how.
    create function search_sorts(wanted tsquery, matches bigint, entries bigint, last_place bigint) returns boolean
      language plpgsql immutable as $body$
    declare
      words double precision := (numnode(wanted) + 1) / 2;
      share double precision := least(1, greatest(matches, 1)::double precision / greatest(entries, 1));
    begin
      return wanted is not null and words * entries * power(share, 1 / words) + ${MATCH_COST} * matches
        < ${WALK_COST} * least(entries, last_place / share);
    end $body$;

    -- What search_walked answers. To plan a page of ten anew costs more than to read it.
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

    /*
     * The page of a search: place 0 carries the total and the counts that are worth keeping, places from 1 on the hits. A total
     * of null says that something must be counted first. tiers are four queries, each containing the one before, from the
     * closest match to any match; null finds everything. driver is what of the last tier is whole words, where there is more to
     * it. account is null for who may see everything.
     */
    create function search_page(
        wanted_type text, account uuid, tiers tsquery[], driver tsquery, sort text, is_descending boolean,
        first_place bigint, places bigint, may_count boolean)
      returns table (place bigint, fact_id uuid, tier integer, total bigint, worth_keeping jsonb)
      language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_seqscan = off set max_parallel_workers_per_gather = 0 set jit = off
      set plan_cache_mode = force_generic_plan as $body$
    declare
      audience text := case when account is null then 'all' else 'public' end;
      own uuid[] := case when account is not null then search_own(wanted_type, account) end;
      -- Of the four tiers, the driver, and everything.
      kept bigint[] := search_kept_counts(wanted_type, audience,
        case when tiers is null then array[null]::tsquery[] else tiers || array[driver, null]::tsquery[] end);
      hits search_hit[];
      found bigint;
      entries bigint;
      totals bigint[] := array[null, null, null, null]::bigint[];
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
      if tiers is null then kept := array[null, null, null, kept[1], null, kept[1]]; end if;
      if tiers is not null and kept[4] is null then
        -- A word that is only begun is dear to look up: where the whole words are rare, it is looked for in their matches.
        is_driven := driver is not null and kept[5] is null;
        if is_driven then
          select array_agg(s.hit) filter (where s.fits), count(*) filter (where s.fits), count(*) <= ${SORTED_MAX}
            into hits, found, is_driven from (
            select row(e.fact_id, search_tier(e.words, tiers), e.sort_name, e.updated, e.query_count)::search_hit as hit,
              e.words @@ tiers[4] and (own is null or e.is_public or e.fact_id = any (own)) as fits
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
            where e.words @@ tiers[4] and e.tenant_id is not distinct from search_tenant()
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

      if kept[4] is null then
        if not may_count then
          return query select 0::bigint, null::uuid, null::integer, null::bigint, null::jsonb;
          return;
        end if;
        kept[4] := search_count(wanted_type, audience, tiers[4]);
        counts := counts || jsonb_build_array(jsonb_build_object('query', tiers[4]::text, 'count', kept[4]));
        if tiers is null then kept[6] := kept[4]; end if;
      end if;
      entries := kept[6];
      if entries is null then
        -- Of all tenants and types, but only to tell many from few.
        entries := (select greatest(reltuples, 1) from pg_class where oid = 'search_entries'::regclass);
      end if;
      totals[4] := kept[4];
      if own is not null then totals[4] := kept[4] + search_count_own(own, tiers[4]); end if;

      if tiers is null or sort <> 'relevance' then
        if sort = 'relevance' then sort := 'query_count'; end if;
        if tiers is null then
          return query select row_number() over () + first_place, h, null::integer, null::bigint, null::jsonb
            from search_walk(wanted_type, own, null, null, sort, is_descending, first_place, places) h;
        elsif search_sorts(tiers[4], totals[4], entries, first_place + places) then
          ordering := search_order(sort, is_descending);
          return query select row_number() over () + first_place, h, (
              select search_tier(e.words, tiers) from search_entries e
              where e.tenant_id = search_tenant() and e.fact_id = h), null::bigint, null::jsonb
            from search_sorted(wanted_type, own, tiers[4], null, ordering, first_place, places) h;
        else
          return query select row_number() over () + first_place, h, (
              select search_tier(e.words, tiers) from search_entries e
              where e.tenant_id = search_tenant() and e.fact_id = h), null::bigint, null::jsonb
            from search_walk(wanted_type, own, tiers[4], null, sort, is_descending, first_place, places) h;
        end if;
        return query select 0::bigint, null::uuid, null::integer, totals[4], search_keepsake(counts);
        return;
      end if;

      ordering := search_order('query_count', is_descending);
      for i in 1..4 loop
        exit when rest = 0;
        step := case when is_descending then i else 5 - i end;
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
      return query select 0::bigint, null::uuid, null::integer, totals[4], search_keepsake(counts);
    end $body$;
    revoke all on function search_kept_counts(text, text, tsquery[]), search_sorts(tsquery, bigint, bigint, bigint),
      search_walk(text, uuid[], tsquery, tsquery, text, boolean, bigint, bigint),
      search_page(text, uuid, tsquery[], tsquery, text, boolean, bigint, bigint, boolean) from public;

    -- Planned anew for each of the hundreds of words that one slip may have made, it costs four times as much (measured).
    alter function similar_search_words(text, boolean, text[]) set plan_cache_mode = force_generic_plan;
    alter function similar_search_words(text, boolean, text[]) set enable_seqscan = off;

    create or replace function keep_search_counts(wanted_type text, wanted_audience text, worth_keeping jsonb) returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    declare
      taken timestamptz := worth_keeping ->> 'taken';
    begin
      -- Changes that a snapshot of a minute ago does not see may have been forgotten.
      if taken < clock_timestamp() - interval '50 seconds' then return; end if;
      insert into search_counts as c (tenant_id, type, audience, digest, query, count, snapshot, counted)
        select search_tenant(), wanted_type, wanted_audience, search_digest((k ->> 'query')::tsquery),
          (k ->> 'query')::tsquery, (k ->> 'count')::bigint, (worth_keeping ->> 'snapshot')::pg_snapshot, taken
        from jsonb_array_elements(worth_keeping -> 'counts') k
        order by 4
      on conflict (tenant_id, type, audience, digest) do update
        set count = excluded.count, snapshot = excluded.snapshot, counted = excluded.counted
        where c.counted < excluded.counted;
    end $body$;

    /* Carries the kept counts forward, and forgets the changes that they, and every search under way, have seen. */
    create or replace function carry_search_counts() returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    begin
      if not pg_try_advisory_xact_lock(7205817) then return; end if;
      delete from search_counts
        where counted < now() - case when count < ${DEAR_COUNT} then interval '${COUNT_LIFE}' else interval '${DEAR_COUNT_LIFE}' end;
      delete from search_counts c using (
        select k.tenant_id, k.type
        from (
          select tenant_id, type, count(*) as counts,
            (array_agg(pg_snapshot_xmin(snapshot) order by pg_snapshot_xmin(snapshot)))[1] as oldest
          from search_counts group by tenant_id, type) k
        cross join lateral (
          select count(*) as changes from (
            select from search_changes h
            where h.tenant_id = k.tenant_id and h.type = k.type and h.xid >= k.oldest limit ${LOOKS_MAX + 1}) h) h
        where k.counts * h.changes > ${LOOKS_MAX}) d
        where c.tenant_id = d.tenant_id and c.type = d.type;
      update search_counts c set count = c.count + d.delta, snapshot = pg_current_snapshot()
      from (
        select c.tenant_id, c.type, c.audience, c.digest,
          sum((coalesce(h.after @@ c.query, c.query is null) and h.after is not null
               and (c.audience = 'all' or h.is_public))::integer
            - (coalesce(h.before @@ c.query, c.query is null) and h.before is not null
               and (c.audience = 'all' or h.was_public))::integer) as delta
        from search_counts c join search_changes h
          on h.tenant_id = c.tenant_id and h.type = c.type and h.xid >= pg_snapshot_xmin(c.snapshot)
          and not pg_visible_in_snapshot(h.xid, c.snapshot)
        group by 1, 2, 3, 4) d
      where (c.tenant_id, c.type, c.audience, c.digest) = (d.tenant_id, d.type, d.audience, d.digest);
      insert into search_horizons (oldest) values (pg_snapshot_xmin(pg_current_snapshot()));
      -- Counts of one tenant and type, which may live for a day, keep no changes of another.
      with kept as materialized (
        select tenant_id, type, (array_agg(pg_snapshot_xmin(snapshot) order by pg_snapshot_xmin(snapshot)))[1] as oldest
        from search_counts group by tenant_id, type)
      delete from search_changes h using (
          select z.oldest as horizon from search_horizons z where z.taken < clock_timestamp() - interval '1 minute'
          order by z.taken desc limit 1) s
        where h.xid < s.horizon and not exists (
          select from kept k where k.tenant_id = h.tenant_id and k.type = h.type and k.oldest <= h.xid);
      delete from search_horizons where taken < (
        select max(taken) from search_horizons where taken < clock_timestamp() - interval '1 minute');
    end $body$;
  `,
};
