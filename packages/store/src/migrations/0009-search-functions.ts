import type { SchemaStep } from './migration.ts';

/** Rows of matches that are fetched and sorted at once; a query of more is walked in the order of its sort key. */
const SORTED_MAX = 200;
/** What it costs to fetch a match, and to look at a row of a walk, where a posting costs 1. */
const MATCH_COST = 4;
const WALK_COST = 3;
/** A kept count is recounted after so long; until then it is carried forward. */
const COUNT_LIFE = '1 hour';

/**
 * Row-level security keeps `@@` from using an index (it is not leakproof), so these run as the owner of the tables and hold to
 * the tenant of `sluice.tenant_id` themselves. All that answer a search are STABLE: they see one snapshot, so counts, page and
 * whatever the calling statement joins to them are of one moment. `is not distinct from` and the settings take the choice of an
 * index from the planner, whose estimates of word prefixes are wild: a GIN index or an ordered walk, each where it is meant.
 */
export const searchFunctionsStep: SchemaStep = {
  name: '0009-search-functions',
  sql: `
    create type search_hit as
      (fact_id uuid, tier integer, sort_name text, updated timestamptz, query_count bigint);

    create function search_tenant() returns uuid language sql stable as
      $body$ select nullif(nullif(current_setting('sluice.tenant_id', true), ''), '*')::uuid $body$;

    create function search_digest(query tsquery) returns bytea language sql immutable as
      $body$ select sha256(convert_to(coalesce(query::text, ''), 'UTF8')) $body$;

    create function search_order(sort text, is_descending boolean) returns text language sql immutable as $body$
      select case when sort = 'relevance'
        then case when is_descending then 'tier, query_count desc, fact_id desc' else 'tier desc, query_count, fact_id' end
        else format(case when is_descending then '%1$I desc, fact_id desc' else '%1$I, fact_id' end, sort) end
    $body$;

    create function search_tier(words tsvector, tiers tsquery[]) returns integer language sql immutable as $body$
      select case when words @@ tiers[1] then 1 when words @@ tiers[2] then 2 when words @@ tiers[3] then 3 else 4 end
    $body$;

    create function search_kept_count(wanted_type text, wanted_audience text, wanted tsquery) returns bigint
      language sql stable security definer set search_path = pg_catalog, public as $body$
      select c.count + coalesce((
        select sum((coalesce(h.after @@ c.query, c.query is null) and h.after is not null
                    and (c.audience = 'all' or h.is_public))::integer
                 - (coalesce(h.before @@ c.query, c.query is null) and h.before is not null
                    and (c.audience = 'all' or h.was_public))::integer)
        from search_changes h
        where h.tenant_id = c.tenant_id and h.type = c.type and h.xid >= pg_snapshot_xmin(c.snapshot)
          and not pg_visible_in_snapshot(h.xid, c.snapshot)), 0)
      from search_counts c
      where c.tenant_id = search_tenant() and c.type = wanted_type and c.audience = wanted_audience
        and c.digest = search_digest(wanted)
    $body$;

    create function search_count(wanted_type text, wanted_audience text, wanted tsquery) returns bigint
      language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_seqscan = off set jit = off set work_mem = '32MB' as $body$
    begin
      if wanted is null then
        return (select count(*) from search_entries e
          where e.tenant_id = search_tenant() and e.type = wanted_type and (wanted_audience = 'all' or e.is_public));
      end if;
      return (select count(*) from search_entries e
        where e.words @@ wanted and e.tenant_id is not distinct from search_tenant()
          and e.type is not distinct from wanted_type and (wanted_audience = 'all' or e.is_public));
    end $body$;

    -- What one may see besides what is public: few, and found by their owner or steward.
    create function search_own(wanted_type text, account uuid) returns uuid[]
      language sql stable security definer set search_path = pg_catalog, public set enable_seqscan = off as $body$
      select coalesce(array_agg(e.fact_id), '{}') from search_entries e
      where e.tenant_id = search_tenant() and not e.is_public and (e.owner_id = account or e.steward_id = account)
        and e.type = wanted_type
    $body$;

    create function search_count_own(own uuid[], wanted tsquery) returns bigint
      language sql stable security definer set search_path = pg_catalog, public set enable_seqscan = off as $body$
      select case when own is null then 0 when wanted is null then cardinality(own) else (
        select count(*) from search_entries e
        where e.tenant_id = search_tenant() and e.fact_id = any (own) and e.words @@ wanted) end
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

    create function search_walked(
        wanted_type text, own uuid[], wanted tsquery, unwanted tsquery, ordering text, first_place bigint, places bigint)
      returns setof uuid
      language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_bitmapscan = off set enable_sort = off as $body$
    begin
      return query execute format(
        'select e.fact_id from search_entries e where e.tenant_id = $1 and e.type = $2 %s %s %s
         order by %s offset $6 limit $7',
        case when own is null then '' else 'and (e.is_public or e.fact_id = any ($3))' end,
        case when wanted is null then '' else 'and e.words @@ $4' end,
        case when unwanted is null then '' else 'and not (e.words @@ $5)' end, ordering)
        using search_tenant(), wanted_type, own, wanted, unwanted, first_place, places;
    end $body$;

    /*
     * Matches at these places of one ordering, by whichever way costs less: sort all matches, or walk the ordering up to the last
     * place. A walk reads as many rows as hold so many matches; a sort fetches each match, and the postings of each word before
     * that, of which there are about as many as if the words had nothing to do with each other.
     */
    create function search_places(
        wanted_type text, own uuid[], wanted tsquery, unwanted tsquery, ordering text,
        matches bigint, entries bigint, first_place bigint, places bigint) returns setof uuid
      language plpgsql stable as $body$
    declare
      words double precision := (numnode(wanted) + 1) / 2;
      share double precision := least(1, greatest(matches, 1)::double precision / greatest(entries, 1));
      postings double precision := words * entries * power(share, 1 / words);
      walked double precision := least(entries, (first_place + places) / share);
    begin
      if wanted is not null and postings + ${MATCH_COST} * matches < ${WALK_COST} * walked then
        return query select * from search_sorted(wanted_type, own, wanted, unwanted, ordering, first_place, places);
      else
        return query select * from search_walked(wanted_type, own, wanted, unwanted, ordering, first_place, places);
      end if;
    end $body$;

    -- Counts that took long, with the snapshot they were taken in; null where there are none.
    create function search_keepsake(counts jsonb) returns jsonb language sql stable as $body$
      select case when counts <> '[]' then jsonb_build_object(
        'counts', counts, 'snapshot', pg_current_snapshot()::text, 'taken', statement_timestamp()) end
    $body$;

    /*
     * The page of a search: place 0 carries the total and the counts that are worth keeping, places from 1 on the hits. tiers
     * are four queries, each containing the one before, from the closest match to any match; null finds everything. driver is
     * what of the last tier is whole words, where there is more to it. account is
     * null for who may see everything.
     */
    create function search_facts(
        wanted_type text, account uuid, tiers tsquery[], driver tsquery, sort text, is_descending boolean,
        first_place bigint, places bigint)
      returns table (place bigint, fact_id uuid, tier integer, total bigint, worth_keeping jsonb)
      language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_seqscan = off set max_parallel_workers_per_gather = 0 set jit = off as $body$
    declare
      audience text := case when account is null then 'all' else 'public' end;
      own uuid[] := case when account is not null then search_own(wanted_type, account) end;
      hits search_hit[];
      found bigint;
      entries bigint;
      totals bigint[] := array[null, null, null, null]::bigint[];
      needed integer;
      rest_from bigint := first_place;
      rest bigint := places;
      done bigint := 0;
      inside bigint;
      taken bigint;
      step integer;
      is_driven boolean;
      counts jsonb := '[]';
    begin
      if tiers is not null and search_kept_count(wanted_type, audience, tiers[4]) is null then
        -- A word that is only begun is dear to look up: where the whole words are rare, it is looked for in their matches.
        is_driven := driver is not null and search_kept_count(wanted_type, audience, driver) is null;
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

      entries := search_kept_count(wanted_type, audience, null);
      if entries is null and tiers is null then
        entries := search_count(wanted_type, audience, null);
        counts := counts || jsonb_build_array(jsonb_build_object('query', null, 'count', entries));
      elsif entries is null then
        -- Of all tenants and types, but only to tell many from few.
        entries := (select greatest(reltuples, 1) from pg_class where oid = 'search_entries'::regclass);
      end if;
      totals[4] := case when tiers is null then entries else search_kept_count(wanted_type, audience, tiers[4]) end;
      if totals[4] is null then
        totals[4] := search_count(wanted_type, audience, tiers[4]);
        counts := counts || jsonb_build_array(jsonb_build_object('query', tiers[4]::text, 'count', totals[4]));
      end if;
      totals[4] := totals[4] + search_count_own(own, tiers[4]);

      if tiers is null or sort <> 'relevance' then
        return query select row_number() over () + first_place, h, case when tiers is not null then (
              select search_tier(e.words, tiers) from search_entries e
              where e.tenant_id = search_tenant() and e.fact_id = h) end,
            null::bigint, null::jsonb
          from search_places(wanted_type, own, tiers[4], null,
            search_order(case when sort = 'relevance' then 'query_count' else sort end, is_descending),
            totals[4], entries, first_place, places) h;
        return query select 0::bigint, null::uuid, null::integer, totals[4], search_keepsake(counts);
        return;
      end if;

      for i in 1..4 loop
        exit when rest = 0;
        step := case when is_descending then i else 5 - i end;
        -- A tier is counted when the page may reach it, no sooner.
        foreach needed in array array[step, greatest(step - 1, 1)] loop
          if totals[needed] is null then
            inside := search_kept_count(wanted_type, audience, tiers[needed]);
            if inside is null then
              inside := search_count(wanted_type, audience, tiers[needed]);
              counts := counts
                || jsonb_build_array(jsonb_build_object('query', tiers[needed]::text, 'count', inside));
            end if;
            totals[needed] := inside + search_count_own(own, tiers[needed]);
          end if;
        end loop;
        inside := totals[step] - case when step = 1 then 0 else totals[step - 1] end;
        taken := least(rest, inside - rest_from);
        if taken > 0 then
          return query select row_number() over () + first_place + done, h, step, null::bigint, null::jsonb
            from search_places(wanted_type, own, tiers[step], case when step > 1 then tiers[step - 1] end,
              search_order('query_count', is_descending), inside, entries, rest_from, taken) h;
          done := done + taken;
          rest := rest - taken;
          rest_from := 0;
        else
          rest_from := rest_from - inside;
        end if;
      end loop;
      return query select 0::bigint, null::uuid, null::integer, totals[4], search_keepsake(counts);
    end $body$;

    create function keep_search_counts(wanted_type text, wanted_audience text, worth_keeping jsonb) returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    declare
      taken timestamptz := worth_keeping ->> 'taken';
    begin
      -- Changes that an older snapshot does not see may have been forgotten.
      if taken < clock_timestamp() - interval '30 seconds' then return; end if;
      insert into search_counts (tenant_id, type, audience, digest, query, count, snapshot, counted)
        select search_tenant(), wanted_type, wanted_audience, search_digest((k ->> 'query')::tsquery),
          (k ->> 'query')::tsquery, (k ->> 'count')::bigint, (worth_keeping ->> 'snapshot')::pg_snapshot, taken
        from jsonb_array_elements(worth_keeping -> 'counts') k
        order by 4
      on conflict do nothing;
    end $body$;

    /* Carries the kept counts forward, and forgets the changes that they, and every search under way, have seen. */
    create function carry_search_counts() returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    begin
      if not pg_try_advisory_xact_lock(7205817) then return; end if;
      delete from search_counts where counted < now() - interval '${COUNT_LIFE}';
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
      delete from search_changes h using (
        select
          (select z.oldest from search_horizons z where z.taken < clock_timestamp() - interval '1 minute'
           order by z.taken desc limit 1) as horizon,
          (select pg_snapshot_xmin(c.snapshot) from search_counts c order by 1 limit 1) as counted) s
        where s.horizon is not null and h.xid < least(s.horizon, s.counted);
      delete from search_horizons where taken < (
        select max(taken) from search_horizons where taken < clock_timestamp() - interval '1 minute');
    end $body$;

    -- Words in the place of one that nobody wrote: one slip away, else alike by their trigrams where the server has those.
    create function similar_search_words(wanted text, is_prefix boolean, edits text[]) returns setof text
      language plpgsql stable security definer set search_path = pg_catalog, public as $body$
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

    revoke all on function search_tenant(), search_kept_count(text, text, tsquery), search_count(text, text, tsquery),
      search_own(text, uuid), search_count_own(uuid[], tsquery),
      search_sorted(text, uuid[], tsquery, tsquery, text, bigint, bigint),
      search_walked(text, uuid[], tsquery, tsquery, text, bigint, bigint),
      search_places(text, uuid[], tsquery, tsquery, text, bigint, bigint, bigint, bigint),
      search_facts(text, uuid, tsquery[], tsquery, text, boolean, bigint, bigint),
      keep_search_counts(text, text, jsonb), carry_search_counts(),
      similar_search_words(text, boolean, text[]) from public;
  `,
};
