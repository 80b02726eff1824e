import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { schemaSteps } from '../migrations/index.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
let owner: Database;
beforeAll(async () => {
  test = await createEmptyDatabase();
  await migrate(settings());
  owner = createDatabase({ url: test.ownerUrl });
}, 120_000);
afterAll(async () => {
  await owner[Symbol.asyncDispose]();
  await test.dispose();
});

const settings = () => ({ ownerUrl: test.ownerUrl, apiRole: test.apiRole, streamRole: test.streamRole });
const query = <R extends object>(text: string): Promise<R[]> =>
  owner.withoutTenant((transaction) => transaction.query<R>(text));
const steps = async (): Promise<readonly string[]> => {
  const rows = await query<{ name: string }>('select name from knex_migrations order by id');
  return rows.map(({ name }) => name);
};
const unused = () =>
  query(`
    select relname::text as name from pg_class where relname in ('search_folding', 'login_throttles')
    union all select proname from pg_proc where proname like 'fold_search%'
    union all select tgname from pg_trigger where tgname = 'search_entries_fold'`);

/** Turns the database into one that the steps before the baseline created. `last` is its last step. */
const makeEarlier = async (last: string): Promise<void> => {
  await query(`
    -- What later steps have added.
    drop function if exists search_words_with(text), mark_outdated_search_words() cascade;
    alter table search_entries drop column if exists words_version;
    alter table sessions drop column if exists address, drop column if exists user_agent;
    drop function if exists index_audit_reads(), count_sealed_reads(), audit_read_entries(jsonb),
      audit_read_time(uuid, uuid, uuid, timestamptz) cascade;
    drop table if exists audit_reads, audit_read_names, audit_read_counts;
    drop function if exists audit_text(text, jsonb);
    drop table if exists fact_changes, outgoing_mails, notification_settings, authorization_codes, device_authorizations,
      login_programs, device_mails, client_assertions, external_logins, oauth_consents, oauth_clients, provider_sessions, logout_tokens, result_shares, kept_results;
    alter table facts drop column if exists owner_id, drop column if exists owner_name;
    alter table domains drop column if exists owner_id, drop column if exists owner_name;
    alter table queries drop column if exists failure, drop column if exists kill_message;
    alter table waiting_queries drop column if exists kill_message;
    alter table users drop column if exists last_login;
    alter table marketplace_items drop column if exists license, drop column if exists terms_of_use;
    alter table marketplace_counts drop column if exists last_completed, drop column if exists last_rows,
      drop column if exists last_bytes, drop column if exists last_format;
    alter table sessions drop column if exists oauth_client, drop column if exists scope,
      drop column if exists targets;
    alter table clients drop column if exists further_secret_hashes, drop column if exists allowed_networks, drop column if exists scopes, drop column if exists jwks,
      drop column if exists jwks_uri, drop column if exists may_introspect, drop column if exists last_used;
    alter table client_secrets drop column if exists label, drop column if exists expires, drop column if exists selector;

    drop table if exists search_folding, login_throttles;
    drop function if exists fold_search_words() cascade;
    drop function if exists fold_search_entries();
    create table login_throttles (key text);
    create table search_folding (batches_left integer not null);
    insert into search_folding values (3);
    create function fold_search_words() returns trigger language plpgsql as 'begin return new; end';
    create trigger search_entries_fold before insert on search_entries for each row execute function fold_search_words();
    create function fold_search_entries() returns text language plpgsql as $body$
    begin
      insert into search_words (tenant_id, word) select id, 'batch' || batches_left from tenants, search_folding;
      update search_folding set batches_left = batches_left - 1;
      return (select case when batches_left > 0 then 'more' else 'done' end from search_folding);
    end $body$;
    delete from knex_migrations;
    insert into knex_migrations (name, batch, migration_time)
      select case n when 11 then '0010-contract-audit-view' else to_char(least(n, 38), 'FM0000') || '-step-' || n end, 1, now()
      from generate_series(1, ${last.startsWith('0039') ? 41 : 20}) n
      union all select '${last}', 1, now() order by 1`);
};

/** Queries with a copy of the statement in their record, with a copy that differs from it, and without one. And two hosts. */
const insertCopies = () =>
  query(`
    with made as (
      select t.id as tenant, gen_random_uuid() as id, c.* from tenants t,
        (values ('equal', 'SELECT $low', null), ('other', 'SELECT 2', null), ('single', '', 19)) c (user_name, copy, bytes)
    ), records as (
      insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
      select tenant, id, now(), user_name, 'RUN_QUERY', '', '{"sql": "SELECT $low", "parameters": {"low": 41}}' from made
    ), history as (
      insert into query_history (tenant_id, account_id, started, query_id, action, target, parameters)
      select tenant, id, now(), id, 'RUN_QUERY', '', '{"low": 41}' from made where user_name = 'equal'
    ), hosts as (
      insert into hosts (id, service, finds_statements) values (gen_random_uuid(), 'past', false), (gen_random_uuid(), 'present', true)
    )
    insert into queries (tenant_id, query_id, account_kind, account_id, user_name, host_id, sql, statement_bytes, state, audit_id, started)
    select tenant, id, 'user', id, user_name, id, copy, bytes, 'FINISHED', id, now() from made`);

describe('a database with the steps before the baseline', () => {
  it('gets a sentence that says what to do, and is unchanged, if steps are missing', async () => {
    await makeEarlier('0021-search-counting');
    const [before, kept] = [await steps(), await unused()];
    await expect(migrate(settings())).rejects.toMatchObject({
      code: 'service_unavailable',
      message:
        'The database schema is older than this version of Sluice can upgrade: its last step is 0021-search-counting, not 0039-single-statements. Start with an empty database (with `npm start`, an empty SLUICE_HOME), or run the migrate command of the last version before 0.2.0 first.',
    });
    expect([await steps(), await unused()]).toEqual([before, kept]);
    await using api = createDatabase({ url: test.apiUrl });
    await expect(api.ping()).rejects.toThrow('0040-baseline is missing. Run the migrate command of this version.');
  });

  it('is adopted with its data if it has all of them, by any number of concurrent processes', async () => {
    await makeEarlier('0039-single-statements');
    await query(`insert into tenants (id, name) values (gen_random_uuid(), 'acme')`);
    await insertCopies();
    const before = await steps();
    await Promise.all([1, 2, 3].map(() => migrate(settings())));
    expect(await steps()).toEqual([...before, ...schemaSteps.map(({ name }) => name)]);
    expect(await unused()).toEqual([]);
    expect(await query('select word from search_words order by word')).toEqual(
      ['batch1', 'batch2', 'batch3'].map((word) => ({ word })),
    );
    expect(await query('select user_name, sql, statement_bytes from queries order by user_name')).toEqual([
      { user_name: 'equal', sql: '', statement_bytes: 'SELECT $low'.length + '{"low": 41}'.length },
      { user_name: 'other', sql: 'SELECT 2', statement_bytes: null },
      { user_name: 'single', sql: '', statement_bytes: 19 },
    ]);
    expect(await query('select parameters from query_history')).toEqual([{ parameters: null }]);
    expect(await query('select service from hosts')).toEqual([{ service: 'present' }]);
    for (const url of [test.apiUrl, test.streamUrl]) {
      await using database = createDatabase({ url });
      await database.ping();
    }
  });
});
