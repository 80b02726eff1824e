import pg from 'pg';
import { storeProblem } from '../database/store-problem.ts';
import { limitTransaction, SLOW_READER_TIMEOUT } from '../database/transaction-limits.ts';

/** Rows of a tenant in all tables at one moment. Only for the owner of the schema. The caller must dispose of it. */
export interface TenantDump extends AsyncDisposable {
  /** Returns the id and the state of the tenant; undefined if there is none. */
  tenant(): Promise<DumpedTenant | undefined>;
  /** Returns the names of all tables with rows of tenants, except those of the audit log. */
  tables(): Promise<string[]>;
  /** Returns the rows of a table as JSON, in batches. Binary values and hashes of passwords and secrets are left out. */
  rows(table: string, tenantId: string): AsyncIterable<string[]>;
  /** Returns the checkpoints of the audit log as JSON, by number. */
  checkpoints(tenantId: string): AsyncIterable<string[]>;
  /** Returns the hash of a position of the audit chain in hexadecimal digits, and whether the tenant was resumed after it. */
  auditPosition(tenantId: string, sequence: number): Promise<AuditChainPosition>;
}

interface DumpedTenant {
  readonly id: string;
  readonly state: 'active' | 'suspended';
}

interface AuditChainPosition {
  readonly hash: string | undefined;
  readonly isResumedAfter: boolean;
}

const ROWS_MAX = 500;

const TABLES = `
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'tenant_id' and c.relname !~ '^audit_' order by 1`;

const COLUMNS = `
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
    and t.typname not in ('bytea', '_bytea', 'tsvector') and a.attname not in ('password_hash', 'secret_hashes', 'further_secret_hashes')`;

const OPEN = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  select ${limitTransaction(SLOW_READER_TIMEOUT)}`;

const CHECKPOINTS = `
  select json_build_object('payload', payload, 'key_id', key_id, 'signature', encode(signature, 'base64'))::text as text
  from audit_checkpoints where tenant_id = $1 order by number`;

const POSITION = `
  select (select encode(hash, 'hex') from audit_chain where tenant_id = $1 and sequence = $2) as hash,
    exists (select 1 from audit_log l left join audit_chain c on c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id
      where l.tenant_id = $1 and l.action = 'RESUME_TENANT' and coalesce(c.sequence > $2, true)) as "isResumedAfter"`;

async function* readCursor(client: pg.Client, text: string, tenantId: string): AsyncGenerator<string[]> {
  await client.query(`declare dump no scroll cursor for ${text}`, [tenantId]);
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`fetch ${ROWS_MAX} from dump`);
    if (rows.length > 0) yield rows.map((row) => row.text);
    if (rows.length < ROWS_MAX) break;
  }
  await client.query('close dump');
}

/** Opens a snapshot of the database as the owner of the schema. Throws ProblemError when that fails. */
export async function openTenantDump(ownerUrl: string, tenantName: string): Promise<TenantDump> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 5000,
    application_name: 'sluice-tenant',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(OPEN);
  } catch (thrown) {
    await client.end().catch(() => undefined);
    throw storeProblem(thrown);
  }
  return {
    async tenant() {
      const text = 'select id, state from tenants where name = $1';
      return (await client.query<DumpedTenant>(text, [tenantName])).rows[0];
    },
    async tables() {
      return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
    },
    async *rows(table, tenantId) {
      const name = client.escapeIdentifier(table);
      const { rows } = await client.query<{ columns: string }>(COLUMNS, [name]);
      const selected = `select ${rows[0]?.columns} from ${name} where tenant_id = $1`;
      yield* readCursor(client, `select row_to_json(kept)::text as text from (${selected}) kept`, tenantId);
    },
    checkpoints: (tenantId) => readCursor(client, CHECKPOINTS, tenantId),
    async auditPosition(tenantId, sequence) {
      const { rows } = await client.query<{ hash: string | null; isResumedAfter: boolean }>(POSITION, [
        tenantId,
        sequence,
      ]);
      return { hash: rows[0]?.hash ?? undefined, isResumedAfter: rows[0]?.isResumedAfter === true };
    },
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined);
    },
  };
}
