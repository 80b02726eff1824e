import pg from 'pg';

/**
 * Statements of hosts at schema version 0006: they know no later column, and no later step may break them. These statements never change with
 * the stores.
 */
const OPEN_SESSION = `
  insert into sessions (tenant_id, sid, account_kind, account_id, expires, key_id, cookie_hash)
  values ($1, $2, 'user', $3, now() + interval '1 hour', 'key', sha256(convert_to($2::uuid::text, 'UTF8')))`;
const LOG = `
  insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, session_id, address, user_agent)
  values ($1, gen_random_uuid(), now(), 'ann@example.com', 'LOGIN', '', '{}', 'request', $2, '127.0.0.1', 'old')`;
const FIND_SESSION = `
  select t.id, t.name, t.state, t.settings, u.id as account_id, u.email, u.disabled, u.roles,
    coalesce((select array_agg(distinct p) from roles r cross join unnest(r.permissions) p
      where r.tenant_id = t.id and r.name = any (u.roles)), '{}') as permissions,
    s.revoked_at is null and s.expires > now() as session_live
  from tenants t
  join sessions s on s.tenant_id = t.id and s.sid = $2
  join users u on u.tenant_id = t.id and u.id = s.account_id
  where t.id = $1 and s.account_id = $3`;
const BEGIN_QUERY = `
  with query as (
    insert into queries (tenant_id, query_id, account_kind, account_id, user_name, session_id, host_id, sql, state, audit_id)
    values ($1, $4, 'user', $3, 'ann@example.com', $2, $2, 'select 1', 'RUNNING', gen_random_uuid())
    returning started, audit_id
  )
  insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address)
  select $1, audit_id, started, 'ann@example.com', 'RUN_QUERY', '', '{}', 'request', $4, $2, '127.0.0.1' from query`;
const FINISH_QUERY = `
  with closed as (
    update queries set state = 'FINISHED', rows = 1, bytes = 1, sha256 = 'ab', limited = false, ended = clock_timestamp()
    where tenant_id = $1 and query_id = $2 and ended is null
    returning *
  )
  insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, request_id, query_id, session_id)
  select tenant_id, gen_random_uuid(), audit_id, ended, user_name, 'RUN_QUERY', '', '{"state": "FINISHED"}', 'request', query_id, session_id
  from closed`;
const REVOKE = `update sessions set revoked_at = now(), revoke_reason = 'logout' where tenant_id = $1 and sid = $2 and revoked_at is null`;

export interface OldWriter {
  /** Returns the number of completed rounds: a login, a query and a logout. Throws the error that a statement failed with. */
  rounds(): number;
  /** Longest transaction so far, in milliseconds. */
  longestMs(): number;
  stop(): Promise<void>;
}

/** URLs of the database for the roles of the two hosts. */
interface ServingUrls {
  readonly api: string;
  readonly stream: string;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the statement reports it
  await client.connect();
  return client;
}

/** Writes as the two hosts of that version do, each with its own role, one transaction per write, until it is stopped. */
export async function writeUntilStopped(
  urls: ServingUrls,
  account: { tenantId: string; userId: string },
): Promise<OldWriter> {
  const [api, stream] = await Promise.all([connect(urls.api), connect(urls.stream)]);
  let [rounds, longestMs] = [0, 0];
  let isStopped = false;
  let failure: unknown;

  const write = async (
    client: pg.Client,
    ...statements: (readonly [text: string, values: readonly unknown[]])[]
  ): Promise<void> => {
    const begun = performance.now();
    await client.query(`begin; select set_config('sluice.tenant_id', '${account.tenantId}', true)`);
    for (const [text, values] of statements) {
      const { rowCount } = await client.query(text, [...values]);
      if (rowCount !== 1) throw new Error(`${rowCount} rows: ${text}`);
    }
    await client.query('commit');
    longestMs = Math.max(longestMs, performance.now() - begun);
  };
  const round = async (): Promise<void> => {
    const { tenantId, userId } = account;
    const [sid, queryId] = [crypto.randomUUID(), crypto.randomUUID()];
    await write(api, [OPEN_SESSION, [tenantId, sid, userId]], [LOG, [tenantId, sid]]);
    await write(stream, [FIND_SESSION, [tenantId, sid, userId]]);
    await write(stream, [BEGIN_QUERY, [tenantId, sid, userId, queryId]]);
    await write(stream, [FINISH_QUERY, [tenantId, queryId]]);
    await write(api, [REVOKE, [tenantId, sid]]);
    rounds += 1;
  };
  const done = (async () => {
    while (!isStopped) await round();
  })()
    .catch((thrown: unknown) => {
      failure = thrown;
    })
    .finally(() => Promise.all([api.end(), stream.end()]));
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    rounds() {
      throwFailure();
      return rounds;
    },
    longestMs: () => longestMs,
    async stop() {
      isStopped = true;
      await done;
      throwFailure();
    },
  };
}
