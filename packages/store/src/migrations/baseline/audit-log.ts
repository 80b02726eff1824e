import { OWN_TENANT, tenantRowsOnly } from '../row-level-security.ts';

/**
 * A record is one row. The outcome of a query is a second row, whose `record_id` refers to the first. Serving roles may only INSERT and
 * SELECT. A row stores the transaction that wrote it, so that a reader with an earlier snapshot still sees the same rows, whatever was
 * committed meanwhile. Search indexes leave out the outcomes. The default partition takes the rows that a missed run of
 * `ensure_audit_partitions` would lose; a month with rows in it stays there.
 *
 * A transaction across tenants may write no records, only the outcomes of queries that it closes.
 */
const records = `
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
  create policy records_of_own_tenant on audit_log as restrictive for insert
    with check (${OWN_TENANT} or record_id is not null);
`;

/**
 * Data of the sealer: the sequence number of each row in its tenant's chain, the checkpoints that sign the chain, and hourly counts of the
 * sealed rows. `v` is the format of an entry of the chain. Checkpoints that list what retention dropped are rare, and a reader of the
 * chain needs them to continue after the gap. Chain and checkpoints are append-only. The counts are not evidence.
 *
 * `audit_sealer` has one row: every row that `seen` sees is sealed, and of the further rows that `pending` sees, those up to the position.
 * `seen_at` and `pending_at` are the times of these snapshots, by the clock of the database: a record with an earlier time was not written
 * at that time.
 */
const chain = `
  create table audit_chain (
    tenant_id uuid not null,
    sequence bigint not null,
    occurred timestamptz not null,
    record_id uuid not null,
    hash bytea not null,
    v smallint not null default 0,
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
    after_id uuid,
    seen_at timestamptz,
    pending_at timestamptz
  );
  insert into audit_sealer default values;
`;

/** Creates the partitions of this month and the next two. */
const partitions = `
  create function ensure_audit_partitions() returns void
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
  revoke all on function ensure_audit_partitions() from public;
  select ensure_audit_partitions();
`;

export const auditLog = `${records}${chain}${partitions}`;
