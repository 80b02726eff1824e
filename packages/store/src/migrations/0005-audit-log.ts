import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * A record is one row. The outcome of a query is a second row, whose `record_id` refers to the first. Serving roles may only INSERT and
 * SELECT. A row stores the transaction that wrote it, so that a reader with an earlier snapshot still sees the same rows, whatever was
 * committed meanwhile. Search indexes leave out the outcomes. The function creates partitions for this month and the next two. The default
 * partition takes the rows that a missed run would lose; a month with rows in it stays there.
 */
export const auditLogStep: SchemaStep = {
  name: '0005-audit-log',
  sql: `
    create table audit_log (
      tenant_id uuid not null,
      id uuid not null,
      record_id uuid,
      occurred timestamptz not null,
      user_name text not null,
      action text not null,
      target text not null,
      metadata jsonb not null default '{}',
      request_id text,
      query_id uuid,
      session_id uuid,
      address text,
      user_agent text,
      xact xid8 not null default pg_current_xact_id(),
      primary key (tenant_id, occurred, id)
    ) partition by range (occurred);
    create index audit_log_outcomes on audit_log (tenant_id, record_id) where record_id is not null;
    create index audit_log_transactions on audit_log (xact, occurred);
    create index audit_log_users on audit_log (tenant_id, user_name, occurred, id) where record_id is null;
    create index audit_log_actions on audit_log (tenant_id, action, occurred, id) where record_id is null;
    create index audit_log_targets on audit_log (tenant_id, target, occurred, id) where record_id is null;
    create index audit_log_requests on audit_log (tenant_id, request_id) where record_id is null and request_id is not null;
    create index audit_log_queries on audit_log (tenant_id, query_id) where record_id is null and query_id is not null;
    create table audit_log_default partition of audit_log default;
    ${tenantRowsOnly('audit_log')}

    create function ensure_audit_partitions() returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    declare
      month date;
      name text;
    begin
      for ahead in 0..2 loop
        month := (date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead))::date;
        name := 'audit_log_' || to_char(month, 'YYYY_MM');
        if to_regclass('public.' || name) is null then
          begin
            execute format('create table public.%I partition of public.audit_log for values from (%L) to (%L)',
              name, month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
          exception when check_violation or duplicate_table then
            null;
          end;
        end if;
      end loop;
    end $body$;
    revoke all on function ensure_audit_partitions() from public;
    select ensure_audit_partitions();
  `,
};
