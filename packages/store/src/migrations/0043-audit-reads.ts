import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Equal to SEALER_LOCK. A step never changes, so it does not import a value that may. */
const SEALER_LOCK = 7_205_812;

/** Longest indexed name: with four bytes a character, an entry still fits into a page of an index. */
const CHARACTERS_MAX = 640;

/** First two parts of a name, each with its dot: plain, or in double quotes. */
const PARTS = String.raw`^(("([^"]|"")*"|[^".]+)\.)(("([^"]|"")*"|[^".]+)\.)`;

/**
 * Index of the tables that records name in `metadata.tables_read`. An entry has the time and id of the record: those of its query where an
 * outcome names the tables. A table has three entries: its own name, and those of its schema and its catalog, which end with a dot. Names are
 * in lower case (ASCII only, as engines compare them).
 *
 * The database writes the entries with the row, so that no host can leave one out. They are not evidence: the verifier compares them with
 * the sealed rows.
 */
const entries = `
  create table audit_reads (
    tenant_id uuid not null,
    name text collate "C" not null,
    occurred timestamptz not null,
    record_id uuid not null,
    xact xid8 not null default pg_current_xact_id(),
    primary key (tenant_id, name, occurred, record_id) include (xact)
  ) partition by range (occurred);
  create table audit_reads_default partition of audit_reads default;
  ${tenantRowsOnly('audit_reads')}

  -- Names by month, with the time of the first entry. The empty name is that of every record with tables_read. No unique index: writers of
  -- the same new names would wait for each other, in any order. A repeated row does no harm.
  create table audit_read_names (
    tenant_id uuid not null,
    name text collate "C" not null,
    month date not null,
    first_read timestamptz not null
  );
  create index audit_read_names_order on audit_read_names (tenant_id, name, month);
  ${tenantRowsOnly('audit_read_names')}

  create function audit_read_entries(tables jsonb) returns setof text
    language sql immutable as $body$
    with names as (
      select lower(t.name collate "C") as name
      from jsonb_array_elements_text(case when jsonb_typeof(tables) = 'array' then tables else '[]' end) t (name)
    ), parts as (
      select name, regexp_match(name, '${PARTS}') as part from names
    )
    select left(e.name, ${CHARACTERS_MAX}) from (
      select name from names union select part[1] from parts union select part[1] || part[4] from parts
    ) e where e.name is not null
  $body$;

  -- Time of the record that a row belongs to: the row's own, or for an outcome that of its record, which the receipt of its query has too.
  -- Only a described statement has no receipt. Its record is a moment older. Null when there is no such record.
  create function audit_read_time(tenant uuid, query uuid, record uuid, moment timestamptz) returns timestamptz
    language plpgsql stable as $body$
  declare
    began timestamptz;
  begin
    if record is null then
      return moment;
    end if;
    select q.started into began from queries q where q.tenant_id = tenant and q.query_id = query and q.audit_id = record;
    if began is null then
      select l.occurred into began from audit_log l
        where l.tenant_id = tenant and l.id = record and l.record_id is null
          and l.occurred <= moment and l.occurred > moment - interval '1 hour';
    end if;
    return began;
  end $body$;

  create function index_audit_reads() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  declare
    moment timestamptz := audit_read_time(new.tenant_id, new.query_id, new.record_id, new.occurred);
  begin
    if moment is null then
      return null;
    end if;
    insert into audit_reads (tenant_id, name, occurred, record_id)
      select new.tenant_id, e.name, moment, coalesce(new.record_id, new.id)
      from audit_read_entries(new.metadata -> 'tables_read') e (name)
      on conflict do nothing;
    insert into audit_read_names (tenant_id, name, month, first_read)
      select new.tenant_id, e.name, date_trunc('month', moment at time zone 'utc')::date, moment
      from (select '' as name union all select * from audit_read_entries(new.metadata -> 'tables_read')) e
      where not exists (
        select from audit_read_names n where n.tenant_id = new.tenant_id and n.name = e.name
          and n.month = date_trunc('month', moment at time zone 'utc')::date);
    return null;
  end $body$;
  revoke all on function index_audit_reads() from public;

  create trigger index_audit_reads after insert on audit_log
    for each row when (new.metadata -> 'tables_read' is not null) execute function index_audit_reads();
`;

/**
 * Hourly counts of the sealed entries, as `audit_counts` has of users and actions. The database counts when entries of the chain are added,
 * so that a sealer of the previous version leaves none out, and discounts when forged entries are set aside.
 */
const counts = `
  create table audit_read_counts (
    tenant_id uuid not null,
    name text collate "C" not null,
    hour timestamptz not null,
    records bigint not null,
    primary key (tenant_id, name, hour) include (records)
  );
  ${tenantRowsOnly('audit_read_counts')}

  create function count_sealed_reads() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  begin
    insert into audit_read_counts as c (tenant_id, name, hour, records)
    select r.tenant_id, r.name, date_trunc('hour', r.occurred, 'UTC'), count(*) * case tg_op when 'DELETE' then -1 else 1 end
    from sealed s
    join audit_log l on l.tenant_id = s.tenant_id and l.occurred = s.occurred and l.id = s.record_id
    cross join lateral audit_read_entries(l.metadata -> 'tables_read') e (name)
    -- Of two outcomes of one query, the first wrote the entry.
    join audit_reads r on r.tenant_id = l.tenant_id and r.name = e.name
      and r.occurred = audit_read_time(l.tenant_id, l.query_id, l.record_id, l.occurred)
      and r.record_id = coalesce(l.record_id, l.id) and r.xact = l.xact
    where l.metadata -> 'tables_read' is not null
    group by 1, 2, 3
    on conflict (tenant_id, name, hour)
    do update set records = least(c.records::numeric + excluded.records, 9223372036854775807)::bigint;
    return null;
  end $body$;
  revoke all on function count_sealed_reads() from public;

  create trigger count_sealed_reads after insert on audit_chain referencing new table as sealed
    for each statement execute function count_sealed_reads();
  create trigger discount_unsealed_reads after delete on audit_chain referencing old table as sealed
    for each statement execute function count_sealed_reads();
`;

/** The functions of the baseline, with the new tables. */
const months = `
  create or replace function ensure_audit_partitions() returns void
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  declare
    month date;
    parent text;
    name text;
  begin
    for ahead in 0..2 loop
      month := (date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead))::date;
      foreach parent in array array['audit_log', 'audit_chain', 'audit_reads'] loop
        name := parent || '_' || to_char(month, 'YYYY_MM');
        if to_regclass('public.' || name) is null then
          begin
            execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
              name, parent, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
          exception when check_violation or duplicate_table then
            null;
          end;
        end if;
      end loop;
    end loop;
  end $body$;
  select ensure_audit_partitions();

  create or replace function drop_audit_month(month date) returns void
    language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '1s' as $body$
  declare
    first timestamptz := date_trunc('month', month);
    next timestamptz := date_trunc('month', month) + interval '1 month';
    kept_until timestamptz;
    parent text;
  begin
    perform pg_advisory_xact_lock(${SEALER_LOCK});
    select now() - greatest(r.kept_ms::float8, (select max((t.settings ->> 'auditRetentionMs')::float8) from tenants t))
      * interval '1 millisecond' into kept_until from audit_retention r;
    if kept_until is null or next > kept_until then
      raise exception 'the audit log of this month is kept still' using errcode = 'object_not_in_prerequisite_state';
    end if;
    if exists (
      select from audit_log l where l.occurred >= first and l.occurred < next and not exists (
        select from audit_chain c where c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id)
    ) then
      raise exception 'records of this month are not sealed' using errcode = 'object_not_in_prerequisite_state';
    end if;
    if exists (
      select from (
        select c.tenant_id, count(*) as places from audit_chain c where c.occurred >= first and c.occurred < next group by c.tenant_id
      ) had
      left join lateral (
        select k.payload::jsonb as told from audit_checkpoints k where k.tenant_id = had.tenant_id order by k.number desc limit 1
      ) newest on true
      where newest.told ->> 'kind' is distinct from 'retention'
        or had.places is distinct from (
          select sum(d."to" - d."from" + 1) from jsonb_to_recordset(newest.told -> 'dropped') as d ("from" bigint, "to" bigint))
        or exists (
          select from audit_chain c where c.tenant_id = had.tenant_id and c.occurred >= first and c.occurred < next and not exists (
            select from jsonb_to_recordset(newest.told -> 'dropped') as d ("from" bigint, "to" bigint)
            where c.sequence between d."from" and d."to"))
    ) then
      raise exception 'the newest checkpoints do not report what would be removed' using errcode = 'object_not_in_prerequisite_state';
    end if;
    foreach parent in array array['audit_log', 'audit_chain', 'audit_reads'] loop
      execute format('drop table if exists public.%I', parent || '_' || to_char(first, 'YYYY_MM'));
      execute format('delete from public.%I where occurred >= $1 and occurred < $2', parent) using first, next;
    end loop;
    delete from audit_counts where hour < next;
    delete from audit_read_counts where hour < next;
    delete from audit_read_names n where n.month < next::date;
    -- A receipt is kept as long as its record.
    delete from queries where ended is not null and started < next;
  end $body$;
`;

/** Finds the records of the statements that read a table. */
export const auditReadsStep: SchemaStep = { name: '0043-audit-reads', sql: `${entries}${counts}${months}` };
