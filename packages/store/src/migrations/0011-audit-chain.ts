import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Data of the sealer: the sequence number of each row in its tenant's chain, the checkpoints that sign the chain, and hourly counts of the
 * sealed rows. `audit_sealer` has one row: every row that `seen` sees is sealed, and of the further rows that `pending` sees, those up to
 * the position. Checkpoints that list what retention dropped are rare, and a reader of the chain needs them to continue after the gap.
 * Chain and checkpoints are append-only. The counts are not evidence.
 */
export const auditChainStep: SchemaStep = {
  name: '0011-audit-chain',
  sql: `
    create table audit_chain (
      tenant_id uuid not null,
      sequence bigint not null,
      occurred timestamptz not null,
      record_id uuid not null,
      hash bytea not null,
      primary key (tenant_id, occurred, record_id)
    ) partition by range (occurred);
    create unique index audit_chain_order on audit_chain (tenant_id, sequence, occurred);
    create table audit_chain_default partition of audit_chain default;
    ${tenantRowsOnly('audit_chain')}

    create table audit_checkpoints (
      tenant_id uuid not null,
      number bigint not null,
      sequence bigint not null,
      payload text not null,
      key_id text not null,
      signature bytea not null,
      issued timestamptz not null default now(),
      primary key (tenant_id, number)
    );
    create index audit_checkpoints_dropped on audit_checkpoints (tenant_id, number) where payload like '%"dropped":%';
    ${tenantRowsOnly('audit_checkpoints')}

    create table audit_keys (
      key_id text primary key,
      public_key bytea not null,
      added timestamptz not null default now()
    );

    create table audit_counts (
      tenant_id uuid not null,
      kind text not null check (kind in ('all', 'user', 'action')),
      name text not null,
      hour timestamptz not null,
      records bigint not null,
      primary key (tenant_id, kind, name, hour) include (records)
    );
    ${tenantRowsOnly('audit_counts')}

    create table audit_sealer (
      only_row boolean primary key default true check (only_row),
      seen pg_snapshot,
      pending pg_snapshot,
      after_xact xid8,
      after_occurred timestamptz,
      after_id uuid
    );
    insert into audit_sealer default values;

    create or replace function ensure_audit_partitions() returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    declare
      month date;
      parent text;
      name text;
    begin
      for ahead in 0..2 loop
        month := (date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead))::date;
        foreach parent in array array['audit_log', 'audit_chain'] loop
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
  `,
};
