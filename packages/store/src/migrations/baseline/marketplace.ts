import { tenantRowsOnly } from '../row-level-security.ts';

/**
 * An item refers to its datamaps without a foreign key: an owner may archive and delete a datamap, and the item then cannot be downloaded
 * until it is changed. Counts have separate rows, so that a download does not block a change.
 */
const items = `
  create table marketplace_items (
    tenant_id uuid not null references tenants (id) on delete cascade,
    item_id text collate "C" not null check (octet_length(item_id) between 1 and 100),
    title text not null check (title <> ''),
    description text,
    tags text[] not null default '{}',
    domain_ids text[] not null default '{}',
    owner_kind text not null check (owner_kind in ('user', 'client')),
    owner_id uuid not null,
    owner_name text not null,
    search text not null,
    version bigint not null default 1,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    updated_by text not null,
    primary key (tenant_id, item_id)
  );
  create index marketplace_items_by_title on marketplace_items (tenant_id, title collate "C", item_id);
  ${tenantRowsOnly('marketplace_items')}

  create table marketplace_queries (
    tenant_id uuid not null,
    item_id text collate "C" not null,
    position integer not null,
    name text not null,
    datamap_id uuid not null,
    primary key (tenant_id, item_id, position),
    foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
  );
  create index marketplace_queries_by_datamap on marketplace_queries (tenant_id, datamap_id);
  ${tenantRowsOnly('marketplace_queries')}

  create table marketplace_counts (
    tenant_id uuid not null,
    item_id text collate "C" not null,
    downloads bigint not null default 0,
    last_downloaded timestamptz,
    primary key (tenant_id, item_id),
    foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
  );
  ${tenantRowsOnly('marketplace_counts')}
`;

/**
 * A grant names a role, an e-mail or a client id, as users do. An expired grant stays visible, but grants nothing. The indexes serve the
 * removal of an account, which removes its grants for all items, and the list of an account's grants for admins.
 */
const access = `
  create table marketplace_grants (
    tenant_id uuid not null,
    item_id text collate "C" not null,
    subject_kind text not null check (subject_kind in ('role', 'user', 'client')),
    subject text collate "C" not null,
    expires timestamptz,
    granted timestamptz not null default now(),
    granted_by text not null,
    primary key (tenant_id, item_id, subject_kind, subject),
    foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
  );
  create index marketplace_grants_by_subject on marketplace_grants (tenant_id, subject_kind, subject, item_id);
  ${tenantRowsOnly('marketplace_grants')}

  create table marketplace_requests (
    tenant_id uuid not null,
    request_id uuid not null,
    item_id text collate "C" not null,
    account_kind text not null check (account_kind in ('user', 'client')),
    account_id uuid not null,
    account_name text not null,
    reason text not null,
    state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REFUSED')),
    created timestamptz not null default now(),
    decided timestamptz,
    decided_by text,
    expires timestamptz,
    note text,
    primary key (tenant_id, request_id),
    foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
  );
  create unique index marketplace_requests_pending on marketplace_requests (tenant_id, item_id, account_id) where state = 'PENDING';
  ${tenantRowsOnly('marketplace_requests')}
`;

/** Running queries that are downloads of items: they need `marketplace:download`, other queries `query:run`. */
const downloads = `
  create table marketplace_downloads (
    tenant_id uuid not null references tenants (id) on delete cascade,
    query_id uuid not null,
    item_id text collate "C" not null,
    version bigint not null,
    started timestamptz not null default now(),
    primary key (tenant_id, query_id)
  );
  ${tenantRowsOnly('marketplace_downloads')}
`;

export const marketplace = `${items}${access}${downloads}`;
