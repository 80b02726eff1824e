import { tenantRowsOnly } from '../row-level-security.ts';

/**
 * The id of a datamap is the id of its fact, which holds its description, tags, version (its ETag) and times. Counters have separate rows,
 * so that batches of reads can lock them without blocking an import. `reads` are the tables that the SQL reads, as an import names them.
 * `parameters` are the declared parameters of the SQL, as responses have them.
 */
export const datamaps = `
  create table datamaps (
    tenant_id uuid not null,
    fact_id uuid not null,
    name text not null,
    display_name text not null check (display_name <> ''),
    state text not null default 'DRAFT' check (state in ('DRAFT', 'IN_PROGRESS', 'PUBLISHED', 'ARCHIVED')),
    priority text not null default 'MEDIUM',
    owner_kind text not null check (owner_kind in ('user', 'client')),
    owner_id uuid not null,
    owner_name text not null,
    steward_id uuid,
    steward_name text,
    sql text,
    explanation text,
    config jsonb not null default '{}',
    created_by text not null,
    last_published timestamptz,
    last_published_by text,
    reads text[],
    parameters jsonb not null default '[]',
    primary key (tenant_id, fact_id),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  create index datamaps_by_owner on datamaps (tenant_id, owner_id);
  create index datamaps_by_name on datamaps (tenant_id, name);
  ${tenantRowsOnly('datamaps')}

  create table datamap_fields (
    tenant_id uuid not null,
    fact_id uuid not null,
    position integer not null,
    name text collate "C" not null check (octet_length(name) <= 2000),
    type text not null,
    data_type integer not null,
    java_type text not null,
    column_size integer not null,
    decimal_digits integer not null,
    primary key (tenant_id, fact_id, position),
    unique (tenant_id, fact_id, name),
    foreign key (tenant_id, fact_id) references datamaps (tenant_id, fact_id) on delete cascade
  );
  ${tenantRowsOnly('datamap_fields')}

  create table fact_counters (
    tenant_id uuid not null,
    fact_id uuid not null,
    view_count bigint not null default 0,
    query_count bigint not null default 0,
    favourite_count bigint not null default 0,
    upvote_count bigint not null default 0,
    downvote_count bigint not null default 0,
    rating_count bigint not null default 0,
    rating_sum bigint not null default 0,
    last_executed timestamptz,
    is_rank_due boolean not null default false,
    primary key (tenant_id, fact_id),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  create index fact_counters_rank_due on fact_counters (tenant_id, fact_id) where is_rank_due;
  ${tenantRowsOnly('fact_counters')}

  create table fact_activity (
    tenant_id uuid not null,
    fact_id uuid not null,
    account_id uuid not null,
    activity_id uuid not null,
    is_favourite boolean,
    rating smallint check (rating between 1 and 5),
    vote text check (vote in ('UP', 'DOWN')),
    viewed bigint not null default 0,
    last_viewed timestamptz,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    primary key (tenant_id, fact_id, account_id),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  create index fact_activity_of_account on fact_activity (tenant_id, account_id);
  ${tenantRowsOnly('fact_activity')}
`;
