import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { migrate } from '@sluice/store/schema';
import pg from 'pg';

export interface AuditDatabase extends AsyncDisposable {
  readonly apiUrl: string;
  readonly superuserUrl: string;
  readonly tenantId: string;
  readonly records: number;
}

interface AuditDatabaseOptions {
  readonly records: number;
  readonly print: (line: string) => void;
}

/** The most active user, with one record in ten. */
export const BUSY_USER = 'user0@example.com';
/** A user with a quarter of the statements and nothing else: all of the records have outcomes, as those of a table do. */
export const READER = 'reader@example.com';
/** The table that most statements read: half of them. */
export const BUSY_TABLE = 'demo.vega.flights';
/** Age of the log, slightly less than its retention: every month of the year has a partition. */
export const DAYS = 360;

/** Kept between runs, one for each size, since creating ten million rows takes 15 minutes. */
const folderOf = (records: number): string => join(tmpdir(), `sluice-bench-audit-${DAYS}-${records}`);
/** Passwords of a server on loopback with generated rows only. */
const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const CHUNK = 500_000;
/**
 * Creates records of a thousand users: one record in ten for the first user, and fewer for each further one. Every fifth record is a
 * query with an outcome shortly after it. Random numbers come from md5, so that each run creates the same log.
 */
const MAKE = `
  with drawn as materialized (
    select gen_random_uuid() as id, i, i % 20 as turn, ('x' || substr(md5(i::text), 1, 7))::bit(28)::int / 268435456.0 as chance,
      date_trunc('hour', now()) - interval '${DAYS} days' + i * (interval '${DAYS} days' / $3::float8) as occurred
    from generate_series($1::int, $2::int) i
  ), made as materialized (
    select *, turn < 4 as is_query, gen_random_uuid() as session, case when i % 40 < 2 then '${READER}' else 'user' || floor(1000 * chance ^ 3) || '@example.com' end as user_name,
      gen_random_uuid() as query_id,
      (array['RUN_QUERY', 'RUN_QUERY', 'RUN_QUERY', 'DOWNLOAD_QUERY', 'LOGIN', 'REFRESH_TOKEN', 'REFRESH_TOKEN', 'LOGIN_FAILED',
        'READ_DATAMAP', 'READ_DATAMAP', 'READ_DATAMAP', 'READ_DATAMAP', 'SEARCH_DATAMAPS', 'SEARCH_DATAMAPS', 'SEARCH_DATAMAPS',
        'SEARCH_DATAMAPS', 'READ_MARKETPLACE', 'UPDATE_DATAMAP', 'SET_DATAMAP_ACTIVITY', 'SEARCH_AUDIT_LOGS'])[turn + 1] as action
    from drawn
  ), record as (
    insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address, user_agent)
    select $4, id, occurred, user_name, action, case when is_query then query_id::text else 'datamap-' || i % 5000 end,
      case when is_query then jsonb_build_object('sql', 'SELECT origin, count(*) FROM demo.vega.flights WHERE delay > ' || i || ' GROUP BY origin',
          'format', 'csv', 'tables_read', jsonb_build_array(case when i % 40 < 20 then '${BUSY_TABLE}' else 'demo.vega.table' || i % 500 end))
        when action like '%DATAMAP%' then jsonb_build_object('datamap_id', session, 'q', 'flights by origin', 'size', 100)
        else jsonb_build_object('method', 'password') end,
      gen_random_uuid()::text, case when is_query then query_id end, session, '10.' || i % 250 || '.0.1', 'Mozilla/5.0 (X11; Linux x86_64) bench/1.0'
    from made
  )
  insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
  select $4, gen_random_uuid(), id, occurred + chance * interval '3 seconds', user_name, action, query_id::text,
    jsonb_build_object('state', case when i % 100 = 0 then 'CANCELLED' else 'FINISHED' end, 'rows', i, 'bytes', i::bigint * 10,
      'sha256', md5(i::text) || md5(action), 'duration_ms', floor(chance * 3000), 'limited', false,
      'error', case when i % 100 = 0 then jsonb_build_object('code', 'QUERY_CANCELLED', 'message', 'The client closed the connection.') end), query_id
  from made where is_query`;

/** Creates the counts of the sealer. The chain itself does not affect the measurements. */
const COUNT = `
  with sealed as (update audit_sealer set seen = pg_current_snapshot(), pending = null, after_xact = null, after_occurred = null, after_id = null)
  insert into audit_counts
  select tenant_id, kind, name, hour, count(*) from (
    select tenant_id, date_trunc('hour', occurred, 'UTC') as hour, k.kind, k.name from audit_log l
    cross join lateral (values ('all', ''), ('user', l.user_name), ('action', l.action)) k (kind, name) where l.record_id is null
  ) counted group by 1, 2, 3, 4`;

/** Fills the index of the tables that records name, as its trigger would: row by row, that takes longer than everything else. */
const INDEX_READS = [
  `insert into audit_reads (tenant_id, name, occurred, record_id)
   select l.tenant_id, e.name, l.occurred, l.id from audit_log l cross join lateral audit_read_entries(l.metadata -> 'tables_read') e (name)
   where l.record_id is null and l.metadata -> 'tables_read' is not null
   order by l.tenant_id, e.name, l.occurred, l.id`,
  `insert into audit_read_names (tenant_id, name, month, first_read)
   select tenant_id, name, date_trunc('month', occurred at time zone 'utc')::date, min(occurred) from audit_reads group by 1, 2, 3
   union all select tenant_id, '', date_trunc('month', occurred at time zone 'utc')::date, min(occurred) from audit_reads group by 1, 2, 3`,
  `insert into audit_read_counts select tenant_id, name, date_trunc('hour', occurred, 'UTC'), count(*) from audit_reads group by 1, 2, 3`,
] as const;

const partitionOfMonth = (table: 'audit_log' | 'audit_reads', monthsAgo: number): string => `
  do $body$
  declare month date := (date_trunc('month', now() at time zone 'utc') - interval '${monthsAgo} months')::date;
  begin
    execute format('create table if not exists ${table}_%s partition of ${table} for values from (%L) to (%L)',
      to_char(month, 'YYYY_MM'), month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
  end $body$`;

async function fill(client: pg.Client, tenantId: string, { records, print }: AuditDatabaseOptions): Promise<void> {
  await client.query('set role sluice_owner');
  for (let monthsAgo = Math.ceil(DAYS / 28); monthsAgo > 0; monthsAgo -= 1) {
    for (const table of ['audit_log', 'audit_reads'] as const) await client.query(partitionOfMonth(table, monthsAgo));
  }
  await client.query('reset role');
  const indexes = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = 'audit_log'::regclass and not indisprimary`,
  );
  await client.query(`set maintenance_work_mem = '512MB'; set work_mem = '512MB'; set synchronous_commit = off`);
  await client.query(`alter system set max_wal_size = '16GB'`);
  await client.query('select pg_reload_conf()');
  // With an existing index, each insert would cost twice as much.
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  await client.query('alter table audit_log disable trigger index_audit_reads');
  for (let from = 1; from <= records; from += CHUNK) {
    await client.query(MAKE, [from, Math.min(from + CHUNK - 1, records), records, tenantId]);
    print(`  ${Math.min(from + CHUNK - 1, records)} records`);
  }
  for (const { name, made } of indexes.rows) {
    await client.query(made.replace(' ON ONLY ', ' ON '));
    print(`  index ${name}`);
  }
  await client.query('alter table audit_log enable trigger index_audit_reads');
  await client.query(COUNT);
  print('  counts');
  for (const statement of INDEX_READS) await client.query(statement);
  print('  index of tables');
  await client.query('vacuum analyze audit_log');
  await client.query('vacuum analyze audit_reads');
  await client.query('alter system reset max_wal_size');
  await client.query('select pg_reload_conf()');
  await client.query('checkpoint');
}

const LOG_TABLES =
  'audit_log, audit_counts, audit_chain, audit_checkpoints, audit_reads, audit_read_names, audit_read_counts';

/** Opens a durable server with this many records of `DAYS` days. */
export async function openAuditDatabase(options: AuditDatabaseOptions): Promise<AuditDatabase> {
  const folder = folderOf(options.records);
  const isFirst = !existsSync(folder);
  const server: PostgresServer = await startPostgres({
    folder,
    secrets: SECRETS,
    durability: 'full',
    announce: options.print,
  });
  const client = new pg.Client({ connectionString: server.superuserUrl });
  try {
    await migrate({ ownerUrl: server.ownerUrl, ...ROLES });
    await migrateJobs({ ownerUrl: server.ownerUrl, apiRole: ROLES.apiRole.name });
    await client.connect();
    const apiUrl = server.urlOf({ role: ROLES.apiRole.name, password: ROLES.apiRole.password });
    await using database = createDatabase({ url: apiUrl, poolMax: 1 });
    const tenants = createTenantStore(database);
    const { id: tenantId } = (await tenants.findByName('bench')) ?? (await tenants.create({ name: 'bench' }));
    const counted = await client.query<{ n: string }>(
      `select coalesce(sum(records), 0) as n from audit_counts where kind = 'all'`,
    );
    const hasReads = (await client.query('select 1 from audit_read_counts limit 1')).rows.length > 0;
    if (isFirst || !hasReads || Number(counted.rows[0]?.n) < options.records) {
      await client.query(`truncate ${LOG_TABLES}`);
      options.print(`Creating ${options.records} records ...`);
      await fill(client, tenantId, options);
    }
    return {
      apiUrl,
      superuserUrl: server.superuserUrl,
      tenantId,
      records: options.records,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  } finally {
    await client.end();
  }
}
