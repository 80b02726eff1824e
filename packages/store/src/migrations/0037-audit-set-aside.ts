import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/** Equal to SEALER_LOCK. A step never changes, so it does not import a value that may. */
const SEALER_LOCK = 7_205_812;

/**
 * Lets a sealer continue a chain to which somebody else added entries or checkpoints. The function runs as the owner. It moves what is
 * after a checkpoint to `audit_set_aside`, from where no serving role can remove it, and writes a record that says so into the log. It
 * trusts the caller about which checkpoint is the last genuine one, because the database cannot check signatures.
 */
export const auditSetAsideStep: SchemaStep = {
  name: '0037-audit-set-aside',
  sql: `
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
  `,
};
