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

/** The query has a receipt of a complete result: its host may have died between the end of the result and that of the query. */
export const FIND_KEPT = prepared(
  'find_kept_result',
  `select k.rows::float8 as rows, k.bytes::float8 as bytes, k.sha256, k.expires, k.wrapped_key as "wrappedKey",
     k.account_kind as "accountKind", k.account_id as "accountId"
   from kept_results k join queries q on q.tenant_id = k.tenant_id and q.query_id = k.query_id and q.state = 'FINISHED'
   where k.tenant_id = $1 and k.query_id = $2 and k.state = 'KEPT' and k.expires > clock_timestamp()`,
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

/** The newest result of the account for the same request. Its query ended with a receipt, as in `FIND_KEPT`. */
export const FIND_REUSABLE = prepared(
  'find_reusable_result',
  `select k.query_id as "queryId"
   from kept_results k join queries q on q.tenant_id = k.tenant_id and q.query_id = k.query_id and q.state = 'FINISHED'
   where k.tenant_id = $1 and k.account_kind = $2 and k.account_id = $3 and k.request_key = $4 and k.state = 'KEPT'
     and k.expires > clock_timestamp() and k.created > clock_timestamp() - make_interval(secs => $5::float8 / 1000)
   order by k.created desc limit 1`,
);

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
