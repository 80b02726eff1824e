import { isRecordOf } from '../audit/recorded-statement.ts';
import { prepared } from '../database/transaction.ts';
import { isAlive } from './host-silence.ts';

/** Held to the end of a transaction, so that two results of a tenant do not both take what is left of its limit. */
export const LOCK_TENANT = `select pg_advisory_xact_lock(hashtextextended('kept_results ' || $1::text, 0))`;

/** Bytes of a tenant's results that count: one that has expired does not, even before it is removed. */
const USED = `(select coalesce(sum(bytes), 0)::bigint from kept_results
  where tenant_id = $1 and state <> 'REMOVED' and coalesce(expires > clock_timestamp(), true))`;

/** Returns no row if the tenant has reached its limit of bytes, or the query's result is already kept. */
export const BEGIN_KEPT = `
  with used as (select ${USED} as bytes)
  insert into kept_results (tenant_id, query_id, account_kind, account_id, host_id, keep_ms, wrapped_key, request_key, state)
  select $1, $2, $3, $4, $5, $6, $7, $9, 'WRITING' from used where used.bytes < $8
  on conflict do nothing
  returning ($8::bigint - (select bytes from used))::bigint as "bytesLeft"`;

/** Returns no row if the result would exceed the limit of its tenant, or is not being written any more. */
export const FINISH_KEPT = `
  update kept_results k set state = 'KEPT', rows = $3, bytes = $4, sha256 = $5,
    expires = clock_timestamp() + make_interval(secs => keep_ms::float8 / 1000)
  where tenant_id = $1 and query_id = $2 and state = 'WRITING' and wrapped_key is not null
    and ${USED} + $4 <= $6
  returning expires`;

const KEPT_COLUMNS = `k.rows::float8 as rows, k.bytes::float8 as bytes, k.sha256, k.expires, k.wrapped_key as "wrappedKey",
     k.account_kind as "accountKind", k.account_id as "accountId"`;

/** Results that can be read. The query has a receipt of a complete result: its host may have died between the end of the result and that of the query. */
const READABLE = `kept_results k join queries q on q.tenant_id = k.tenant_id and q.query_id = k.query_id and q.state = 'FINISHED'`;
const IS_READABLE = `k.tenant_id = $1 and k.query_id = $2 and k.state = 'KEPT' and k.expires > clock_timestamp()`;

export const FIND_KEPT = prepared('find_kept_result', `select ${KEPT_COLUMNS} from ${READABLE} where ${IS_READABLE}`);

/** Members of the metadata of a query's record, or of its outcome on Trino, that name the tables that it read. Null: it has none. */
const TABLES_READ = `
  select jsonb_object_agg(m.key, m.value) as members
  from (
    select r.metadata from audit_log r where ${isRecordOf('q')}
    union all
    select r.metadata from audit_log r where r.tenant_id = q.tenant_id and r.record_id = q.audit_id and r.occurred >= q.started
  ) told cross join lateral jsonb_each(told.metadata) m
  where m.key in ('tables_read', 'tables_read_limited')`;

/**
 * Finds a result that an account ran, or that is shared with the account or one of the roles that it has now. The statement is read only where it
 * is needed.
 */
export const FIND_VIEWABLE = prepared(
  'find_viewable_result',
  `select ${KEPT_COLUMNS}, v.is_own as "isOwn", q.user_name as "ranBy", record.sql, record.parameters,
     tables.members as "tablesRead"
   from ${READABLE}
   cross join lateral (select k.account_kind = $3 and k.account_id = $4::uuid as is_own) v
   left join lateral (
     select r.metadata ->> 'sql' as sql, r.metadata -> 'parameters' as parameters from audit_log r
     where ($5::boolean or not v.is_own) and ${isRecordOf('q')} limit 1
   ) record on true
   left join lateral (${TABLES_READ}) tables on true
   where ${IS_READABLE} and (v.is_own or exists (
     select 1 from result_shares s
     join (
       select u.id, u.roles from users u where $3 = 'user' and u.tenant_id = $1 and u.id = $4::uuid and not u.disabled
       union all
       select c.id, c.roles from clients c where $3 = 'client' and c.tenant_id = $1 and c.id = $4::uuid and not c.disabled
     ) viewer on s.role = any (viewer.roles) or (s.kind = $3 and viewer.id = coalesce(s.user_id, s.client_id))
     where s.tenant_id = k.tenant_id and s.query_id = k.query_id))`,
);

/** The row is not found once the result is removed. */
export const ASK_KEPT = prepared(
  'ask_kept_result',
  `update kept_results set asked = clock_timestamp()
   where tenant_id = $1 and query_id = $2 and account_kind = $3 and account_id = $4 and state <> 'REMOVED' returning 1`,
);

export const LIST_ASKED = prepared(
  'list_asked_results',
  `select query_id as "queryId", (extract(epoch from clock_timestamp() - asked) * 1000)::float8 as "agoMs"
   from kept_results where host_id = $1 and state = 'WRITING' and asked is not null`,
);

/** The newest result of the account for the same request. Its query ended with a receipt, as in `READABLE`. */
export const FIND_REUSABLE = prepared(
  'find_reusable_result',
  `select k.query_id as "queryId"
   from kept_results k join queries q on q.tenant_id = k.tenant_id and q.query_id = k.query_id and q.state = 'FINISHED'
   where k.tenant_id = $1 and k.account_kind = $2 and k.account_id = $3 and k.request_key = $4 and k.state = 'KEPT'
     and k.expires > clock_timestamp() and k.created > clock_timestamp() - make_interval(secs => $5::float8 / 1000)
   order by k.created desc limit 1`,
);

export const LOCK_OWN_KEPT = `
  select 1 from ${READABLE} where ${IS_READABLE} and k.account_kind = $3 and k.account_id = $4 for update of k`;

export const LIST_SHARES = prepared(
  'list_result_shares',
  `select s.kind, coalesce(s.role, u.email, c.client_id) as name from result_shares s
   left join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
   left join clients c on c.tenant_id = s.tenant_id and c.id = s.client_id
   where s.tenant_id = $1 and s.query_id = $2
   order by s.kind, coalesce(s.role, u.email, c.client_id) collate "C"`,
);

/** Returns all given grantees in their order. One without an id is unknown or disabled. */
export const RESOLVE_GRANTEES = `
  select g.kind, g.name, r.name as role, u.id as "userId", c.id as "clientId"
  from unnest($2::text[], $3::text[]) with ordinality g (kind, name, place)
  left join roles r on g.kind = 'role' and r.tenant_id = $1 and r.name = g.name
  left join users u on g.kind = 'user' and u.tenant_id = $1 and u.email = g.name and not u.disabled
  left join clients c on g.kind = 'client' and c.tenant_id = $1 and c.client_id = g.name and not c.disabled
  order by g.place`;

export const REMOVE_SHARES = 'delete from result_shares where tenant_id = $1 and query_id = $2';

export const ADD_SHARES = `
  insert into result_shares (tenant_id, query_id, kind, role, user_id, client_id)
  select $1, $2, kind, role, user_id, client_id
  from unnest($3::text[], $4::text[], $5::uuid[], $6::uuid[]) g (kind, role, user_id, client_id)`;

export const REMOVE_KEPT = prepared(
  'remove_kept_result',
  `update kept_results set state = 'REMOVED', wrapped_key = null where tenant_id = $1 and query_id = $2 and state <> 'REMOVED' returning 1`,
);

/** Results that are due: expired ones, and those whose host is gone. Rows that another host removes now are skipped. */
export const REMOVE_DUE = prepared(
  'remove_due_results',
  `with due as (
     select tenant_id, query_id from kept_results
     where (state = 'KEPT' and expires <= clock_timestamp())
       or (state = 'WRITING' and not exists (select 1 from hosts h where h.id = kept_results.host_id and ${isAlive('$1')}))
     order by expires limit 1000 for update skip locked
   )
   update kept_results k set state = 'REMOVED', wrapped_key = null from due
   where k.tenant_id = due.tenant_id and k.query_id = due.query_id and k.state <> 'REMOVED'`,
);

export const LIST_REMOVED = prepared(
  'list_removed_results',
  `select tenant_id as "tenantId", query_id as "queryId" from kept_results where state = 'REMOVED'
   order by tenant_id, query_id limit $1`,
);

export const FORGET_REMOVED = prepared(
  'forget_removed_result',
  `delete from kept_results where tenant_id = $1 and query_id = $2 and state = 'REMOVED'`,
);

/** Returns those of the given results that no row names. */
export const FIND_UNKNOWN = prepared(
  'find_unknown_results',
  `select g.tenant_id as "tenantId", g.query_id as "queryId"
   from unnest($1::uuid[], $2::uuid[]) as g (tenant_id, query_id)
   where not exists (select 1 from kept_results k where k.tenant_id = g.tenant_id and k.query_id = g.query_id)`,
);
