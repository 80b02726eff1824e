import { ProblemError } from '@sluice/contract';
import pg from 'pg';

export interface ServingRole {
  readonly name: string;
  /** Password to set. Undefined: the role must exist and is not changed, because another tool manages its password. */
  readonly password?: string | undefined;
}

type Grants = Readonly<Record<string, string>>;

/** User, SQL, time and host are fixed when the query begins. The other columns may change until the receipt is final. */
const RECEIPT_UPDATE =
  'update except (tenant_id, query_id, account_kind, account_id, user_name, session_id, host_id, sql, statement_bytes, started, audit_id, secret_id)';
const HOST_UPDATE = 'update except (id, service, started)';
/** A decision never changes who requested what. */
const REQUEST_UPDATE = 'update except (tenant_id, request_id, item_id, account_kind, account_id, account_name, reason)';
/** Sending a mail never changes who gets it. */
const MAIL_UPDATE = 'update (state, attempts, next_attempt, ended)';

/**
 * Rights of each serving role, table by table; everything else is denied. Neither may change or delete an audit row. `update except` grants
 * the other columns of the table, including those of later steps.
 */
const API_GRANTS: Grants = {
  knex_migrations: 'select',
  tenants: 'select, insert, update except (id, name, created)',
  roles: 'select, insert, update except (tenant_id, name), delete',
  users: 'select, insert, update except (tenant_id, id, email, created), delete',
  clients: 'select, insert, update except (tenant_id, id, client_id, created), delete',
  client_secrets: 'select, insert, update (last_used), delete',
  client_assertions: 'select, insert, delete',
  invitations: 'select, insert, update (roles), delete',
  identity_providers: 'select, insert, update except (tenant_id), delete',
  user_identities: 'select, insert, delete',
  login_transactions: 'select, insert, update (expires), delete',
  provider_sessions: 'select, insert, delete',
  logout_tokens: 'select, insert, delete',
  authorization_codes: 'select, insert, update (sid), delete',
  device_authorizations:
    'select, insert, update (wait_seconds, last_poll, decision, account_id, approved_in, sid), delete',
  external_logins: 'select, insert, update (sid, poller, replay), delete',
  oauth_clients: 'select, insert, update except (tenant_id, id, client_id, created), delete',
  oauth_consents: 'select, insert, update (scope, updated), delete',
  sessions:
    'select, insert, update (key_id, revoked_at, revoke_reason, identity_sealed, last_used, streams_until), delete',
  refresh_tokens: 'select, insert, update (state, rotated_at, replay), delete',
  signing_keys: 'select, insert, update, delete',
  revoked_keys: 'select, insert',
  login_failures: 'select, insert, update, delete',
  login_devices: 'select, insert, update, delete',
  login_programs: 'select, insert, update (last_login), delete',
  login_throttle_key: 'select',
  hosts: `select, insert, ${HOST_UPDATE}, delete`,
  queries: `select, ${RECEIPT_UPDATE}`,
  waiting_queries: 'select',
  audit_log: 'select, insert',
  audit_chain: 'select, insert',
  audit_checkpoints: 'select, insert',
  audit_keys: 'select, insert',
  audit_counts: 'select, insert, update except (tenant_id, kind, name, hour)',
  audit_reads: 'select',
  audit_read_names: 'select',
  audit_read_counts: 'select',
  audit_sealer: 'select, update except (only_row)',
  audit_retention: 'select',
  audit_set_aside: 'select',
  facts: 'select, insert, update, delete',
  fact_fields: 'select, insert, update, delete',
  fact_changes: 'select, insert',
  catalogs: 'select, insert, update, delete',
  catalog_schemas: 'select, insert, update, delete',
  catalog_tables: 'select, insert, update, delete',
  catalog_columns: 'select, insert, update, delete',
  domains: 'select, insert, update, delete',
  fact_domains: 'select, insert, update, delete',
  idempotency_keys: 'select, insert, update, delete',
  datamaps: 'select, insert, update, delete',
  datamap_fields: 'select, insert, update, delete',
  fact_counters: 'select, insert, update, delete',
  fact_activity: 'select, insert, update, delete',
  harvest_runs: 'select, insert, update, delete',
  metadata_imports: 'select, insert, update, delete',
  metadata_import_batches: 'select, insert, update, delete',
  search_entries: 'select, insert, update, delete',
  search_words: 'select, insert',
  marketplace_items: 'select, insert, update, delete',
  marketplace_queries: 'select, insert, update, delete',
  marketplace_counts: 'select, insert, update',
  marketplace_grants: 'select, insert, update, delete',
  marketplace_requests: `select, insert, ${REQUEST_UPDATE}, delete`,
  marketplace_downloads: 'select, insert',
  outgoing_mails: `select, insert, ${MAIL_UPDATE}, delete`,
  device_mails: `select, insert, ${MAIL_UPDATE}, delete`,
  notification_settings: 'select, insert, update except (tenant_id, user_id)',
};

/** The stream host runs SQL from the whole internet, so its role cannot read signing keys, refresh tokens or client secrets. */
const STREAM_GRANTS: Grants = {
  knex_migrations: 'select',
  tenants: 'select',
  roles: 'select',
  users: 'select',
  clients: 'select (tenant_id, id, client_id, disabled, roles, allowed_networks, scopes)',
  sessions:
    'select (tenant_id, sid, account_kind, account_id, created, expires, key_id, revoked_at, revoke_reason, last_used, scope), update (last_used)',
  revoked_keys: 'select',
  login_failures: 'select, insert, update, delete',
  login_devices: 'select',
  login_throttle_key: 'select',
  hosts: `select, insert, ${HOST_UPDATE}, delete`,
  queries: `select, insert, ${RECEIPT_UPDATE}`,
  waiting_queries: 'select, insert, update, delete',
  query_history: 'select, insert, delete',
  kept_results: 'select, insert, update (state, expires, rows, bytes, sha256, wrapped_key, asked), delete',
  result_shares: 'select, insert, delete',
  audit_log: 'select, insert',
  facts: 'select',
  datamaps: 'select',
  datamap_fields: 'select',
  fact_fields: 'select (tenant_id, fact_id, name, description)',
  catalogs: 'select (tenant_id, name, vendor_name, harvested, absent_since)',
  catalog_schemas: 'select (tenant_id, catalog_name, name, absent_since)',
  catalog_tables: 'select (tenant_id, fact_id, catalog_name, schema_name, name, remarks, absent_since)',
  catalog_columns: 'select (tenant_id, fact_id, name, position, type, nullable, remarks, absent_since)',
  harvest_runs:
    'select (tenant_id, run_id, state, requested, tables_seen, columns_seen, tables_changed, tables_absent)',
  fact_counters: 'select, insert, update except (tenant_id, fact_id)',
  domains: 'select',
  marketplace_items: 'select, insert, update except (tenant_id, item_id), delete',
  marketplace_queries: 'select, insert, update, delete',
  marketplace_counts: 'select, insert, update except (tenant_id, item_id)',
  marketplace_grants: 'select, insert, update, delete',
  marketplace_requests: `select, insert, ${REQUEST_UPDATE}, delete`,
  marketplace_downloads: 'select, insert, delete',
  outgoing_mails: 'insert',
};

/** Functions that run as the owner and check the tenant of the transaction themselves. Only the API host may call them. */
const SEARCH_FUNCTIONS = [
  'search_page(text, uuid, tsquery[], tsquery, text, boolean, bigint, bigint, boolean)',
  'similar_search_words(text, boolean, text[])',
  'search_words_with(text)',
  'keep_search_counts(text, text, jsonb)',
  'carry_search_counts()',
].join(', ');

/** Functions that run as the owner and change the evidence in one way each. Only the API host may call them. */
const AUDIT_FUNCTIONS = 'drop_audit_month(date), set_aside_audit_forgeries(uuid, bigint)';

/**
 * Temporary tables are searched before all others, unless their schema is named last. A serving role, which may create one in most
 * databases, could otherwise present another log, another tenant, or its own trigger to a function that runs as the owner. No step names
 * the schema.
 */
const TEMPORARY_LAST = `
  do $body$
  declare
    open_function regprocedure;
  begin
    for open_function in select oid::regprocedure from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef and proowner = current_user::regrole
        and 'search_path=pg_catalog, public' = any (proconfig)
    loop
      execute format('alter function %s set search_path = pg_catalog, public, pg_temp', open_function);
    end loop;
  end $body$`;

/**
 * `tuple concurrently updated`, or the role was created meanwhile: roles belong to the cluster, and another database may be changing them
 * too.
 */
const CONCURRENT_STATES = new Set(['XX000', '23505', '42710']);
const ATTEMPTS_MAX = 20;

const INSUFFICIENT_PRIVILEGE = '42501';

const isKnown = async (client: pg.Client, role: ServingRole): Promise<boolean> =>
  (await client.query('select 1 from pg_roles where rolname = $1', [role.name])).rowCount === 1;

const createOrUpdate = async (client: pg.Client, role: ServingRole): Promise<void> => {
  if (role.password === undefined) {
    if (await isKnown(client, role)) return;
    throw new ProblemError(
      'service_unavailable',
      `The role ${role.name} does not exist. Create it, or put its password in its URL.`,
    );
  }
  const name = client.escapeIdentifier(role.name);
  const password = client.escapeLiteral(role.password);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const verb = (await isKnown(client, role)) ? 'alter' : 'create';
      await client.query(`${verb} role ${name} with login password ${password}`);
      return;
    } catch (thrown) {
      if (thrown instanceof pg.DatabaseError && thrown.code === INSUFFICIENT_PRIVILEGE) {
        throw new ProblemError(
          'service_unavailable',
          `The owner role may not create ${role.name} or set its password. Leave the password out of its URL, or grant CREATEROLE.`,
          { cause: thrown },
        );
      }
      const concurrent = thrown instanceof pg.DatabaseError && CONCURRENT_STATES.has(thrown.code ?? '');
      if (!concurrent || attempt === ATTEMPTS_MAX) throw thrown;
    }
  }
};

const COLUMNS = `
  select attname as name from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all ($2) order by attnum`;

/** Expands `update except (...)`, which SQL does not have, to a list of columns. */
async function expandRights(client: pg.Client, table: string, rights: string): Promise<string> {
  const [exception, listed] = /update except \(([^)]*)\)/.exec(rights) ?? [];
  if (exception === undefined || listed === undefined) return rights;
  const { rows } = await client.query<{ name: string }>(COLUMNS, [table, listed.split(', ')]);
  return rights.replace(exception, `update (${rows.map(({ name }) => client.escapeIdentifier(name)).join(', ')})`);
}

const grant = async (client: pg.Client, role: ServingRole, grants: Grants): Promise<void> => {
  const name = client.escapeIdentifier(role.name);
  const statements = [
    `revoke all on all tables in schema public from ${name}`,
    `grant usage on schema public to ${name}`,
  ];
  for (const [table, rights] of Object.entries(grants)) {
    statements.push(`grant ${await expandRights(client, table, rights)} on ${table} to ${name}`);
  }
  await client.query(statements.join('; '));
};

/**
 * Creates or updates both serving roles and sets their rights to exactly the tables above, whatever they were before. Functions that run as
 * the owner on their behalf do not see their temporary tables.
 */
export async function grantServingRoles(
  client: pg.Client,
  apiRole: ServingRole,
  streamRole: ServingRole,
): Promise<void> {
  await client.query('revoke create on schema public from public');
  await client.query(TEMPORARY_LAST);
  await createOrUpdate(client, apiRole);
  await createOrUpdate(client, streamRole);
  await grant(client, apiRole, API_GRANTS);
  await grant(client, streamRole, STREAM_GRANTS);
  const both = `${client.escapeIdentifier(apiRole.name)}, ${client.escapeIdentifier(streamRole.name)}`;
  await client.query(`grant execute on function ensure_audit_partitions(), prove_durable_write() to ${both}`);
  await client.query(`grant execute on function ${AUDIT_FUNCTIONS} to ${client.escapeIdentifier(apiRole.name)}`);
  await client.query(`grant execute on function ${SEARCH_FUNCTIONS} to ${client.escapeIdentifier(apiRole.name)}`);
}
