/** Changes up to which a search updates a kept count; alternatively, a tenth of the count. With more changes, it is counted again. */
const UNSEEN_MAX = 5_000;
/** Limit of change lookups per kept count in one update. Counts that need more are dropped, because that costs less. */
const LOOKS_MAX = 200_000;
/** Lifetime of a kept count. A count that was expensive to make lives longer. */
const COUNT_LIFE = '1 hour';
const DEAR_COUNT_LIFE = '1 day';
const DEAR_COUNT = 20_000;

/**
 * Counts of search matches. Kept counts stay cheap in every case: a search that finds too many unseen changes has the count made again, and
 * counts that cannot be updated in time are dropped, so that updating never falls behind for good.
 */
export const searchCounting = `
  create function search_digest(query tsquery) returns bytea language sql immutable as
    $body$ select sha256(convert_to(coalesce(query::text, ''), 'UTF8')) $body$;

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

  create function search_count_own(own uuid[], wanted tsquery) returns bigint
    language sql stable security definer set search_path = pg_catalog, public set enable_seqscan = off as $body$
    select case when own is null then 0 when wanted is null then cardinality(own) else (
      select count(*) from search_entries e
      where e.tenant_id = search_tenant() and e.fact_id = any (own) and e.words @@ wanted) end
  $body$;

  -- Expensive counts with the snapshot in which they were taken; null when there are none.
  create function search_keepsake(counts jsonb) returns jsonb language sql stable as $body$
    select case when counts <> '[]' then jsonb_build_object(
      'counts', counts, 'snapshot', pg_current_snapshot()::text, 'taken', statement_timestamp()) end
  $body$;

  -- Kept counts of these queries, in order; null for a query without a count that can be updated in time.
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

  create function keep_search_counts(wanted_type text, wanted_audience text, worth_keeping jsonb) returns void
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

  /* Updates the kept counts, and deletes the changes that they and every running search have seen. */
  create function carry_search_counts() returns void
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

  revoke all on function search_count(text, text, tsquery), search_count_own(uuid[], tsquery),
    search_kept_counts(text, text, tsquery[]), keep_search_counts(text, text, jsonb), carry_search_counts() from public;
`;
