import { OPTIONAL_AUDIT_FIELDS } from '@sluice/contract';
import { statementBytesOf, statementOf } from '../audit/recorded-statement.ts';
import { listedSql } from '../database/listed-sql.ts';
import { prepared } from '../database/transaction.ts';
import { WRITTEN_AT } from '../database/written-at.ts';
import { isKeyRefused } from '../identity/refused-key.ts';
import { secretIdColumn } from '../identity/secret-id.ts';
import { SESSION_IS_OVERDUE, SESSION_USE_DUE } from '../identity/session-use.ts';
import { QUERY_COLUMNS } from './query-mapper.ts';

type ContextField = Exclude<(typeof OPTIONAL_AUDIT_FIELDS)[number], { property: 'queryId' | 'sessionId' }>;

/** Audit fields that describe the request. The other fields of a query's record are columns of its row. */
export const CONTEXT_FIELDS: readonly ContextField[] = OPTIONAL_AUDIT_FIELDS.filter(
  (field): field is ContextField => field.property !== 'queryId' && field.property !== 'sessionId',
);

const CONTEXT = CONTEXT_FIELDS.map(({ column }) => column).join(', ');
/** Aliases of the context beside columns of a query, which may have the same names. */
const CONTEXT_ALIASES = CONTEXT_FIELDS.map(({ column }) => `context_${column}`).join(', ');
/** Number of the first parameter of the context. */
const CONTEXT_FROM = 13;

const contextParameters = (dimension: '' | '[]' = ''): string =>
  CONTEXT_FIELDS.map(({ kind }, index) => `$${CONTEXT_FROM + index}::${kind}${dimension}`).join(', ');

const QUERY_ROW = `(tenant_id, query_id, account_kind, account_id, user_name, session_id, host_id, sql, statement_bytes, state, started,
  audit_id, secret_id)`;
const HISTORY_ROW = '(tenant_id, account_id, started, query_id, action, target)';
const RECORD_ROW = `(tenant_id, id, occurred, user_name, action, target, metadata, query_id, session_id, ${CONTEXT})`;

/** One statement, so that the audit record, the query's row and its place in the history become durable together or not at all. */
export const BEGIN_QUERY = prepared(
  'begin_query',
  `
  with query as (
    insert into queries ${QUERY_ROW}
    values ($1, $2, $3, $4, $5, $6, $7, '', ${statementBytesOf('$12::jsonb')}, 'RUNNING', ${WRITTEN_AT}, $8, $9)
    returning started
  ), history as (
    insert into query_history ${HISTORY_ROW} select $1, $4, started, $2, $10, $11 from query
  )
  insert into audit_log ${RECORD_ROW}
  select $1, $8, started, $5, $10, $11, $12::jsonb, $2, $6, ${contextParameters()} from query`,
);

/**
 * Begins several queries of one tenant, with an array where `BEGIN_QUERY` has a value. Times are taken row by row, so that queries are
 * listed in the order in which they arrived. For a single query this would cost the server a third more.
 */
export const BEGIN_QUERIES = prepared(
  'begin_queries',
  `
  with begun as materialized (
    select b.*, ${WRITTEN_AT} as started
    from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[],
        $10::text[], $11::text[], $12::jsonb[], ${contextParameters('[]')})
      as b (query_id, account_kind, account_id, user_name, session_id, host_id, audit_id, secret_id, action, target, metadata,
        ${CONTEXT_ALIASES})
  ), query as (
    insert into queries ${QUERY_ROW}
    select $1, query_id, account_kind, account_id, user_name, session_id, host_id, '', ${statementBytesOf('metadata')},
      'RUNNING', started, audit_id, secret_id
    from begun
  ), history as (
    insert into query_history ${HISTORY_ROW}
    select $1, account_id, started, query_id, action, target from begun
  )
  insert into audit_log ${RECORD_ROW}
  select $1, audit_id, started, user_name, action, target, metadata, query_id, session_id, ${CONTEXT_ALIASES}
  from begun`,
);

/**
 * Inserts the outcome of each closed query. `metadata` is the expression of further members of its metadata. An outcome row repeats
 * account, action and context of its record, so that it can be read and sealed by itself.
 */
export const outcomeOf = (closed: string, outcomeId: string, metadata = `'{}'`): string => `
  insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id, session_id, ${CONTEXT})
  select c.tenant_id, ${outcomeId}, c.audit_id, c.ended, c.user_name, coalesce(r.action, 'RUN_QUERY'), coalesce(r.target, ''),
    jsonb_build_object('state', c.state, 'rows', c.rows, 'bytes', c.bytes, 'sha256', c.sha256, 'limited', c.limited,
      'duration_ms', round(extract(epoch from c.ended - c.started) * 1000), 'error', c.error)
      || case when c.at_least then '{"at_least": true}' else '{}' end::jsonb || ${metadata}::jsonb,
    c.query_id, c.session_id, ${CONTEXT_FIELDS.map(({ column }) => `r.${column}`).join(', ')}
  from ${closed} c
  left join lateral (
    select action, target, ${CONTEXT} from audit_log
    where tenant_id = c.tenant_id and occurred = c.started and id = c.audit_id
    limit 1
  ) r on true
  returning id`;

/**
 * Notes the use of the sessions whose queries have ended, so that a session is not idle as soon as a long query is over. A session that was
 * used a moment ago, or that a refresh has locked, is left out.
 */
const usedBy = (closed: string): string => `
  update sessions u set last_used = clock_timestamp()
  where (u.tenant_id, u.sid) in (
    select s.tenant_id, s.sid from sessions s join ${closed} c on c.tenant_id = s.tenant_id and c.session_id = s.sid
    where ${SESSION_USE_DUE} for update of s skip locked)`;

/** The first transaction that closes the row writes the outcome and returns its id. A second one finds no open row and writes nothing. */
export const FINISH_QUERY = prepared(
  'finish_query',
  `
  with closed as (
    update queries set state = $3, rows = $4, bytes = $5, sha256 = $6, limited = $7, error = $8::jsonb, failure = $10::jsonb,
      ended = ${WRITTEN_AT}
    where tenant_id = $1 and query_id = $2 and ended is null
    returning *
  ), used as (${usedBy('closed')})
  ${outcomeOf('closed', '$11::uuid', '$9')}`,
);

/**
 * Closes several queries of one tenant, with an array where the statement above has a value. Of two rows that close the same query, one is
 * returned.
 */
export const FINISH_QUERIES = prepared(
  'finish_queries',
  `
  with closed as (
    update queries q set state = e.state, rows = e.rows, bytes = e.bytes, sha256 = e.sha256, limited = e.limited, error = e.error,
      failure = e.failure, ended = ${WRITTEN_AT}
    from unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::boolean[], $8::jsonb[], $9::jsonb[], $10::jsonb[], $11::uuid[])
      as e (query_id, state, rows, bytes, sha256, limited, error, outcome_metadata, failure, outcome_id)
    where q.tenant_id = $1 and q.query_id = e.query_id and q.ended is null
    returning q.*, e.outcome_metadata, e.outcome_id
  ), used as (${usedBy('closed')})
  ${outcomeOf('closed', 'c.outcome_id', 'c.outcome_metadata')}`,
);

/**
 * Corrects a query that its own host closed as FINISHED without learning of the commit. The earlier outcome stays, because the log is
 * append-only; this one is later.
 */
export const CORRECT_QUERY = prepared(
  'correct_query',
  `
  with closed as (
    update queries set state = $3, rows = $4, bytes = $5, sha256 = $6, limited = $7, error = $8::jsonb, failure = $10::jsonb,
      ended = ${WRITTEN_AT}
    where tenant_id = $1 and query_id = $2 and state = 'FINISHED'
    returning *
  )
  ${outcomeOf('closed', '$11::uuid', '$9')}`,
);

export const FIND_QUERY = prepared(
  'find_query',
  `select ${QUERY_COLUMNS} from queries where tenant_id = $1 and query_id = $2`,
);

export const LIST_RUNNING = prepared(
  'list_running',
  `select query_id, host_id, ${listedSql(statementOf('queries'))} as sql, state, rows, bytes, started from queries
  where tenant_id = $1 and account_id = $2 and account_kind = $3 and ended is null
  order by started, query_id`,
);

export const REQUEST_CANCEL = prepared(
  'request_cancel',
  `update queries set cancel_requested = true, kill_message = coalesce(kill_message, $3)
  where tenant_id = $1 and query_id = $2 and ended is null`,
);

/** Permission that the query of a row needs. */
const NEEDED = `case when m.query_id is null then 'query:run' else 'marketplace:download' end`;

/**
 * Reasons why open queries of a host must stop; a cancellation by the caller comes first. A query ends with its session, its account, its
 * tenant, or its permission. Basic has no session, so the account counts, and the password that the caller sent, however long the query
 * then waited. `networks` still has to be compared: only the host knows the address of the caller.
 */
export const STOPS_DUE = prepared(
  'stops_due',
  `
  select "queryId", reason, case when reason = 'networks' then networks end as networks, "killMessage" from (
    select q.query_id as "queryId", c.allowed_networks as networks, q.kill_message as "killMessage",
      case
        when q.cancel_requested then case
          when q.cancelled_by_admin then 'cancelled_by_admin' when q.kill_message is not null then 'killed' else 'cancelled'
        end
        when t.state <> 'active' then 'suspended'
        when coalesce(u.disabled, c.disabled, true) then 'disabled'
        when q.session_id is not null and (s.sid is null or s.revoked_at is not null or ${SESSION_IS_OVERDUE}) then 'logged_out'
        when q.session_id is null and q.secret_id is distinct from ${secretIdColumn('u.password_hash')} then 'password_changed'
        when exists (select 1 from revoked_keys k where k.kid = s.key_id and ${isKeyRefused('k')}) then 'key_revoked'
        when not exists (
          select 1 from roles r
          where r.tenant_id = q.tenant_id and r.name = any (coalesce(u.roles, c.roles)) and ${NEEDED} = any (r.permissions)
            and (c.scopes is null or ${NEEDED} = any (c.scopes))
        ) then 'not_permitted'
        when c.allowed_networks is not null then 'networks'
      end as reason
    from queries q
    join tenants t on t.id = q.tenant_id
    left join users u on q.account_kind = 'user' and u.tenant_id = q.tenant_id and u.id = q.account_id
    left join clients c on q.account_kind = 'client' and c.tenant_id = q.tenant_id and c.id = q.account_id
    left join sessions s on s.tenant_id = q.tenant_id and s.sid = q.session_id
    left join marketplace_downloads m on m.tenant_id = q.tenant_id and m.query_id = q.query_id
    where q.host_id = $1 and q.ended is null
  ) due
  where reason is not null`,
);
