import type { SessionLimits } from '@sluice/contract';
import { prepared } from '../database/transaction.ts';

/** Time of the last request with a session `s`, to ten seconds. */
export const SESSION_LAST_USE = 'coalesce(s.last_used, s.created)';

/** Whether that time has to be written again: at most every ten seconds, so that most requests write nothing. */
export const SESSION_USE_DUE = `${SESSION_LAST_USE} < clock_timestamp() - interval '10 seconds'`;

/** Whether a session `s` runs a query or reads a stream of the audit log. */
export const SESSION_IS_BUSY = `(
    coalesce(s.streams_until > clock_timestamp(), false)
    or exists (
      select 1 from queries q
      where q.tenant_id = s.tenant_id and q.account_id = s.account_id and q.session_id = s.sid and q.ended is null
    ))`;

const limitOf = (name: keyof SessionLimits, unit: string): string =>
  `(t.settings->'sessionLimits'->>'${name}')::int * interval '1 ${unit}'`;

/** End of a session `s` of the tenant `t`. The tenant may end the sessions of its users before their time. */
export const SESSION_END = `
  least(s.expires, case when s.account_kind = 'user' then s.created + ${limitOf('absoluteHours', 'hour')} end)`;

/**
 * Whether a session `s` of a user of the tenant `t` was without a request for longer than the tenant allows. A stream of the audit log notes
 * its use while it is read, and a query when it ends.
 */
const SESSION_IS_IDLE = `(
  s.account_kind = 'user'
  and coalesce(${SESSION_LAST_USE} + ${limitOf('idleMinutes', 'minute')} <= now(), false)
  and not exists (
    select 1 from queries q
    where q.tenant_id = s.tenant_id and q.account_id = s.account_id and q.session_id = s.sid and q.ended is null
  ))`;

/** Whether the lifetimes that the tenant `t` has set are over for a session `s` that is otherwise open. */
export const SESSION_IS_OVERDUE = `(${SESSION_END} <= now() or ${SESSION_IS_IDLE})`;

/** Whether a session `s` of the tenant `t` is open. */
export const SESSION_IS_OPEN = `(s.revoked_at is null and not ${SESSION_IS_OVERDUE})`;

/** Skips a row that a refresh or a logout has locked: it is in use anyway. */
export const NOTE_SESSION_USE = prepared(
  'note_session_use',
  `
  update sessions set last_used = clock_timestamp()
  where tenant_id = $1 and sid = (select sid from sessions where tenant_id = $1 and sid = $2 for update skip locked)`,
);

export const NOTE_SESSION_STREAM = prepared(
  'note_session_stream',
  `
  update sessions set last_used = clock_timestamp(), streams_until = clock_timestamp() + interval '30 seconds'
  where tenant_id = $1 and sid = $2`,
);
