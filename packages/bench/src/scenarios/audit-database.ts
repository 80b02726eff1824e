import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { createDatabase, createTenantStore, migrate } from '@sluice/store';
import pg from 'pg';

export interface AuditDatabase extends AsyncDisposable {
  readonly apiUrl: string;
  readonly superuserUrl: string;
  readonly tenantId: string;
  readonly records: number;
}

export interface AuditDatabaseOrder {
  readonly records: number;
  readonly say: (line: string) => void;
}

/** Who acts in the rows that are made: user0 with one record in ten, the others with the rest. */
export const BUSY_USER = 'user0@example.com';
export const DAYS = 90;

/** Kept between runs: making ten million rows once is enough. Passwords of a server on the loopback that holds made-up rows. */
const FOLDER = join(tmpdir(), 'sluice-bench-audit');
const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const CHUNK = 500_000;
/** Of these records every fifth is a query, and has an outcome besides. */
const MAKE = `
  with made as materialized (
    select gen_random_uuid() as id, gen_random_uuid() as query_id, i,
      date_trunc('hour', now()) - interval '${DAYS} days' + i * (interval '${DAYS} days' / $3::float8) as occurred
    from generate_series($1::int, $2::int) i
  ), record as (
    insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address, user_agent)
    select $4, id, occurred, 'user' || case when i % 10 = 0 then 0 else i % 997 end || '@example.com',
      case when i % 5 = 0 then 'RUN_QUERY' else 'UPDATE_DATAMAP' end, case when i % 5 = 0 then query_id::text else 'datamap-' || i % 5000 end,
      case when i % 5 = 0 then jsonb_build_object('sql', 'SELECT * FROM sales WHERE id = ' || i, 'format', 'csv')
        else jsonb_build_object('datamap_id', gen_random_uuid(), 'fields', 3) end,
      gen_random_uuid()::text, case when i % 5 = 0 then query_id end, gen_random_uuid(), '10.0.0.1', 'bench/1.0' from made
  )
  insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
  select $4, gen_random_uuid(), id, occurred + interval '1 second', 'user0@example.com', 'RUN_QUERY', query_id::text,
    jsonb_build_object('state', 'FINISHED', 'rows', i, 'bytes', i * 10, 'duration_ms', 12, 'limited', false, 'error', null), query_id
  from made where i % 5 = 0`;

/** What the sealer would have counted; the chain itself plays no part in what is measured. */
const COUNT = `
  with sealed as (update audit_sealer set seen = pg_current_snapshot(), pending = null, after_xact = null, after_occurred = null, after_id = null)
  insert into audit_counts
  select tenant_id, kind, name, hour, count(*) from (
    select tenant_id, date_trunc('hour', occurred, 'UTC') as hour, k.kind, k.name from audit_log l
    cross join lateral (values ('all', ''), ('user', l.user_name), ('action', l.action)) k (kind, name) where l.record_id is null
  ) counted group by 1, 2, 3, 4`;

const partitionOfMonth = (monthsAgo: number): string => `
  do $body$
  declare month date := (date_trunc('month', now() at time zone 'utc') - interval '${monthsAgo} months')::date;
  begin
    execute format('create table if not exists audit_log_%s partition of audit_log for values from (%L) to (%L)',
      to_char(month, 'YYYY_MM'), month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
  end $body$`;

async function fill(client: pg.Client, tenantId: string, { records, say }: AuditDatabaseOrder): Promise<void> {
  await client.query('set role sluice_owner');
  for (const monthsAgo of [4, 3, 2, 1]) await client.query(partitionOfMonth(monthsAgo));
  await client.query('reset role');
  const indexes = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = 'audit_log'::regclass and not indisprimary`,
  );
  // Of an index that is there already each row costs as much as the row.
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  for (let from = 1; from <= records; from += CHUNK) {
    await client.query(MAKE, [from, Math.min(from + CHUNK - 1, records), records, tenantId]);
    say(`  ${Math.min(from + CHUNK - 1, records)} records`);
  }
  for (const { name, made } of indexes.rows) {
    await client.query(made.replace(' ON ONLY ', ' ON '));
    say(`  index ${name}`);
  }
  await client.query(COUNT);
  await client.query('vacuum analyze audit_log');
  await client.query('checkpoint');
}

/** A durable server with so many records of 90 days. */
export async function openAuditDatabase(order: AuditDatabaseOrder): Promise<AuditDatabase> {
  const isFirst = !existsSync(FOLDER);
  const server: PostgresServer = await startPostgres({
    folder: FOLDER,
    secrets: SECRETS,
    durability: 'full',
    announce: order.say,
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
    if (isFirst || Number(counted.rows[0]?.n) < order.records) {
      await client.query('truncate audit_log, audit_counts, audit_chain, audit_checkpoints');
      order.say(`Making ${order.records} records ...`);
      await fill(client, tenantId, order);
    }
    return {
      apiUrl,
      superuserUrl: server.superuserUrl,
      tenantId,
      records: order.records,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  } finally {
    await client.end();
  }
}
