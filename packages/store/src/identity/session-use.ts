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
