import { tenantRowsOnly } from '../row-level-security.ts';

/** Equal to SEALER_LOCK. A step never changes, so it does not import a value that may. */
const SEALER_LOCK = 7_205_812;

/**
 * Lets a host drop one month of the log whose retention has ended, and nothing else. The function runs as the owner and trusts no input but
 * the month. It checks that the retention of every tenant and of the owner has passed (`kept_ms`, which only the owner can change), that
 * every record of the month is sealed, and that the newest checkpoint of each tenant lists exactly the sequence numbers to drop. The
 * database cannot check whether that checkpoint is signed; verification of the chain does. Writers wait for a table lock no longer than a
 * second.
 */
const retention = `
  create table audit_retention (
    only_row boolean primary key default true check (only_row),
    kept_ms bigint not null default 34560000000 check (kept_ms > 0)
  );
  insert into audit_retention default values;

  create function drop_audit_month(month date) returns void
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
      raise exception 'the newest checkpoints do not tell of what would go' using errcode = 'object_not_in_prerequisite_state';
    end if;
    foreach parent in array array['audit_log', 'audit_chain'] loop
      execute format('drop table if exists public.%I', parent || '_' || to_char(first, 'YYYY_MM'));
      execute format('delete from public.%I where occurred >= $1 and occurred < $2', parent) using first, next;
    end loop;
    delete from audit_counts where hour < next;
    -- A receipt is kept as long as its record.
    delete from queries where ended is not null and started < next;
  end $body$;
  revoke all on function drop_audit_month(date) from public;
`;

/**
 * Lets a sealer continue a chain to which somebody else added entries or checkpoints. The function runs as the owner. It moves what is
 * after a checkpoint to `audit_set_aside`, from where no serving role can remove it, and writes a record that says so into the log. It
 * trusts the caller about which checkpoint is the last genuine one, because the database cannot check signatures.
 */
const setAside = `
  create table audit_set_aside (
    tenant_id uuid not null,
    kind text not null check (kind in ('entry', 'checkpoint')),
    content jsonb not null,
    found timestamptz not null default now()
  );
  create index audit_set_aside_tenants on audit_set_aside (tenant_id);
  ${tenantRowsOnly('audit_set_aside')}

  create function set_aside_audit_forgeries(tenant uuid, last_number bigint) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  declare
    last_sequence bigint := 0;
    report jsonb;
  begin
    perform pg_advisory_xact_lock(${SEALER_LOCK});
    if last_number > 0 then
      select k.sequence into strict last_sequence from audit_checkpoints k where k.tenant_id = tenant and k.number = last_number;
    end if;
    with entries as (
      delete from audit_chain c where c.tenant_id = tenant and (c.sequence > last_sequence or c.sequence < 1) returning c.*
    ), checkpoints as (
      delete from audit_checkpoints k where k.tenant_id = tenant and (k.number > last_number or k.number < 1) returning k.*
    ), moved as (
      insert into audit_set_aside (tenant_id, kind, content)
      select tenant, 'entry', to_jsonb(e) from entries e
      union all select tenant, 'checkpoint', to_jsonb(k) from checkpoints k
    )
    select jsonb_build_object(
      'entries', (select count(*) from entries),
      'checkpoints', (select count(*) from checkpoints),
      'first_entries', (select coalesce(jsonb_agg(jsonb_build_object('sequence', e.sequence, 'record_id', e.record_id) order by e.sequence), '[]')
        from (select * from entries order by sequence, occurred limit 20) e),
      'first_checkpoints', (select coalesce(jsonb_agg(k.number order by k.number), '[]')
        from (select * from checkpoints order by number limit 20) k)
    ) into report;
    if report -> 'entries' <> '0' or report -> 'checkpoints' <> '0' then
      insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
      values (tenant, gen_random_uuid(), clock_timestamp(), 'sluice', 'SET_ASIDE_AUDIT_ENTRIES', 'audit_log', report);
    end if;
    return report;
  end $body$;
  revoke all on function set_aside_audit_forgeries(uuid, bigint) from public;
`;

export const auditEvidence = `${retention}${setAside}`;
