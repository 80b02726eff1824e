import { OWN_TENANT, ownTenantInserts, tenantRowsOnly } from '../row-level-security.ts';

/**
 * Hosts that run queries, and their probe: a write that fails when the disk is full. Updating a heartbeat does not fail then, because it
 * reuses the space of older row versions. Each probe adds a row, and with this fill factor a page holds only one row of that length, so
 * the table needs a new page each time. At 64 pages it is truncated, unless another process (a backup) holds a lock on it: a probe must
 * not wait.
 */
const hosts = `
  create table hosts (
    id uuid primary key,
    service text not null,
    started timestamptz not null default now(),
    beat timestamptz not null default now(),
    -- Read by hosts of the version before the baseline: whether the host reads statements from the audit log.
    finds_statements boolean not null default false
  );

  create table write_probes (filler text not null) with (fillfactor = 10, autovacuum_enabled = false);

  create function prove_durable_write() returns void
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  begin
    if pg_relation_size('public.write_probes') >= 64 * current_setting('block_size')::int then
      begin
        lock table public.write_probes in access exclusive mode nowait;
        truncate public.write_probes;
      exception when lock_not_available then null;
      end;
    end if;
    insert into public.write_probes (filler) values (repeat('x', 1000));
  end $body$;
  revoke execute on function prove_durable_write() from public;
`;

/**
 * The row of a query is its receipt once `ended` is set. It is kept as long as its audit record, which alone holds the text of the
 * statement and its parameters; `statement_bytes` is their size, and `sql` is empty. `secret_id` is the secret with which a query without
 * a session was started. `at_least` says that `rows` and `bytes` of a closed query are the last progress that its host reported, so that
 * more may have been sent.
 *
 * A transaction across tenants may close the queries of a dead host as UNKNOWN, and write no other receipt. A receipt is final. Only one
 * in the state FINISHED may still become a failure, once: when its last byte did not reach the client.
 */
const receipts = `
  create table queries (
    tenant_id uuid not null references tenants (id) on delete cascade,
    query_id uuid not null,
    account_kind text not null check (account_kind in ('user', 'client')),
    account_id uuid not null,
    user_name text not null,
    session_id uuid,
    host_id uuid not null,
    sql text not null,
    state text not null check (state in ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED', 'UNKNOWN')),
    rows bigint not null default 0,
    bytes bigint not null default 0,
    sha256 text,
    limited boolean not null default false,
    started timestamptz not null default now(),
    ended timestamptz,
    error jsonb,
    cancel_requested boolean not null default false,
    audit_id uuid not null,
    secret_id text,
    at_least boolean not null default false,
    cancelled_by_admin boolean not null default false,
    statement_bytes integer,
    primary key (tenant_id, query_id)
  );
  create index queries_open_by_host on queries (host_id) where ended is null;
  create index queries_open_by_account on queries (tenant_id, account_id) where ended is null;
  ${tenantRowsOnly('queries')}${ownTenantInserts('queries')}
  create policy receipts_of_own_tenant on queries as restrictive for update
    using (true) with check (${OWN_TENANT} or ended is null or state = 'UNKNOWN');

  create function refuse_receipt_change() returns trigger language plpgsql set search_path = pg_catalog as $body$
  begin
    -- The owner, whom row-level security does not bind, is not held by this wall either.
    if not row_security_active('public.queries'::regclass) then return new; end if;
    if old.state = 'FINISHED' and new.state in ('FAILED', 'CANCELLED', 'UNKNOWN') and new.ended is not null then
      return new;
    end if;
    raise exception 'the receipt of query % is final', old.query_id using errcode = 'insufficient_privilege';
  end $body$;
  create trigger receipt_is_final before update on queries
    for each row when (old.ended is not null) execute function refuse_receipt_change();
`;

/**
 * Queries that wait for a worker, for the lists of all hosts. The table is unlogged: a crash of the server ends the waits as well.
 *
 * The history has queries in the order in which each account lists them. It is a table of its own, because an index of `queries` could
 * only be built while no query begins. What a listed query did is in `queries`; a row here only adds what the receipt does not say.
 */
const lists = `
  create unlogged table waiting_queries (
    tenant_id uuid not null references tenants (id) on delete cascade,
    query_id uuid not null,
    account_kind text not null,
    account_id uuid not null,
    host_id uuid not null,
    sql text not null,
    since timestamptz not null,
    cancel_requested boolean not null default false,
    cancelled_by_admin boolean not null default false,
    user_name text,
    action text,
    primary key (tenant_id, query_id)
  );
  create index waiting_queries_host on waiting_queries (host_id);
  ${tenantRowsOnly('waiting_queries')}

  create table query_history (
    tenant_id uuid not null references tenants (id) on delete cascade,
    account_id uuid not null,
    started timestamptz not null,
    query_id uuid not null,
    action text not null,
    target text not null,
    -- Read by hosts of the version before the baseline, and empty.
    parameters jsonb,
    primary key (tenant_id, account_id, started, query_id)
  );
  create index query_history_by_age on query_history (started);
  ${tenantRowsOnly('query_history')}
`;

export const queries = `${hosts}${receipts}${lists}`;
