import { tenantRowsOnly } from '../row-level-security.ts';

/**
 * Each fact in the search is one row, with its words in a tsvector under a GIN index. Every lexeme begins with its tenant and type
 * (`search-words.ts`), so the index keeps tenants apart as a leading column would.
 *
 * A search cannot afford to count tens of thousands of matches, so large counts are kept (`search_counts`), and every change of words is
 * recorded (`search_changes`). A count stores the snapshot in which it was taken; changes that the snapshot does not see are added. A kept
 * count is therefore exact at every moment, with any number of writers, and no writer waits.
 */
export const searchTables = `
  create table search_entries (
    tenant_id uuid not null,
    fact_id uuid not null,
    type text not null check (type in ('TABLE', 'VIEW', 'DATAMAP')),
    owner_id uuid,
    steward_id uuid,
    is_public boolean not null,
    sort_name text collate "C" not null check (octet_length(sort_name) <= 1020),
    updated timestamptz not null,
    query_count bigint not null default 0,
    words tsvector not null,
    primary key (tenant_id, fact_id),
    foreign key (tenant_id, fact_id) references facts (tenant_id, fact_id) on delete cascade
  );
  create index search_entries_words on search_entries using gin (words) with (fastupdate = off);
  create index search_entries_by_updated on search_entries (tenant_id, type, updated, fact_id) include (is_public);
  create index search_entries_by_queries on search_entries (tenant_id, type, query_count, fact_id) include (is_public);
  create index search_entries_by_name on search_entries (tenant_id, type, sort_name, fact_id) include (is_public);
  create index search_entries_public on search_entries (tenant_id, type) where is_public;
  create index search_entries_owned on search_entries (tenant_id, owner_id) where not is_public;
  create index search_entries_stewarded on search_entries (tenant_id, steward_id) where not is_public;
  ${tenantRowsOnly('search_entries')}

  create table search_words (
    tenant_id uuid not null references tenants (id) on delete cascade,
    word text collate "C" not null check (octet_length(word) <= 128),
    primary key (tenant_id, word)
  );
  ${tenantRowsOnly('search_words')}

  create table search_counts (
    tenant_id uuid not null references tenants (id) on delete cascade,
    type text not null,
    audience text not null check (audience in ('all', 'public')),
    digest bytea not null,
    query tsquery,
    count bigint not null,
    snapshot pg_snapshot not null,
    counted timestamptz not null default now(),
    primary key (tenant_id, type, audience, digest)
  );
  ${tenantRowsOnly('search_counts')}

  create table search_changes (
    tenant_id uuid not null,
    type text not null,
    xid xid8 not null default pg_current_xact_id(),
    change_id bigint generated always as identity,
    before tsvector,
    was_public boolean,
    after tsvector,
    is_public boolean,
    primary key (tenant_id, type, xid, change_id)
  );
  ${tenantRowsOnly('search_changes')}

  create table search_horizons (
    taken timestamptz primary key default clock_timestamp(),
    oldest xid8 not null
  );

  create function note_search_change() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public as $body$
  begin
    if tg_op <> 'INSERT' then
      insert into search_changes (tenant_id, type, before, was_public)
        values (old.tenant_id, old.type, old.words, old.is_public);
    end if;
    if tg_op <> 'DELETE' then
      insert into search_changes (tenant_id, type, after, is_public)
        values (new.tenant_id, new.type, new.words, new.is_public);
    end if;
    return null;
  end $body$;
  revoke all on function note_search_change() from public;
  create trigger search_entries_come_and_go after insert or delete on search_entries
    for each row execute function note_search_change();
  create trigger search_entries_change after update on search_entries for each row
    when (old.words is distinct from new.words or old.is_public <> new.is_public or old.type <> new.type)
    execute function note_search_change();

  -- Trusted extensions: the owner of the database may create them if the server has them. Otherwise search works without them.
  do $body$
  begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index search_words_alike on search_words using gin (tenant_id, word gin_trgm_ops);
  exception when others then
    raise notice 'search goes without pg_trgm: %', sqlerrm;
  end $body$;
`;
