import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { revokeSessionsOf } from './session-revocation.ts';
import { SESSION_END, SESSION_IS_OPEN, SESSION_LAST_USE } from './session-use.ts';

/** Position in the list of sessions. */
export interface SessionPosition {
  /** Microseconds since the epoch. */
  readonly createdMicros: string;
  readonly sid: string;
}

/** Account whose sessions are listed and ended. */
interface SessionOwner {
  readonly kind: 'user' | 'client';
  readonly id: string;
}

interface ListedSession {
  readonly id: string;
  readonly kind: 'user' | 'client';
  readonly account_id: string;
  readonly user: string;
  readonly issuer: string | null;
  /** `browser`: the login set the session cookie. */
  readonly opened_by: 'browser' | 'program';
  /** Program that the user let log in. */
  readonly client: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly created_ts: number;
  readonly last_used_ts: number;
  readonly expires_ts: number;
}

interface SessionEntries {
  readonly entries: readonly ListedSession[];
  readonly next: SessionPosition | undefined;
}

interface SessionPage {
  /** Default: all accounts. */
  readonly owner?: SessionOwner;
  readonly after?: SessionPosition | undefined;
  readonly size: number;
}

/** Sessions of one tenant, for its admins and for their own users, within one transaction. */
export interface SessionRepository {
  /** Lists open sessions, newest first. */
  list(page: SessionPage): Promise<SessionEntries>;
  /** Finds a session, of `owner` if given, and locks it. One that has ended is found for a day. */
  lock(sid: string, owner?: SessionOwner): Promise<{ readonly user: string; readonly isOpen: boolean } | undefined>;
  end(sid: string, reason: string): Promise<void>;
  /** Finds the account whose sessions an admin wants to see or end. */
  findOwner(accountId: string): Promise<(SessionOwner & { readonly name: string }) | undefined>;
  /** Ends all sessions of an account, or of the tenant, but one, and returns the number of those that were open. */
  endAll(owner: SessionOwner | undefined, keptSid: string | undefined, reason: string): Promise<number>;
  /** Ends all sessions of an account but one, and returns the ids of those that were open. */
  endOthers(owner: SessionOwner, keptSid: string | undefined, reason: string): Promise<readonly string[]>;
}

interface Row extends Omit<ListedSession, 'created_ts' | 'last_used_ts' | 'expires_ts'> {
  readonly created: Date;
  readonly micros: string;
  readonly used: Date;
  readonly expires: Date;
}

const NAMED = `
  join tenants t on t.id = s.tenant_id
  left join users u on s.account_kind = 'user' and u.tenant_id = s.tenant_id and u.id = s.account_id
  left join clients c on s.account_kind = 'client' and c.tenant_id = s.tenant_id and c.id = s.account_id`;

/** Condition for sessions of one account; the parameters of all accounts are null. */
const ownedBy = (kind: string, id: string): string =>
  `(${kind}::text is null or (s.account_kind = ${kind} and s.account_id = ${id}::uuid))`;

const LIST = `
  select s.sid as id, s.account_kind as kind, s.account_id, coalesce(u.email, c.client_id) as user, s.issuer,
    case when s.cookie_hash is null then 'program' else 'browser' end as opened_by, s.oauth_client as client, s.address, s.user_agent,
    s.created, ${SESSION_LAST_USE} as used, ${SESSION_END} as expires,
    (extract(epoch from s.created) * 1000000)::bigint::text as micros
  from sessions s ${NAMED}
  where s.tenant_id = $1 and ${SESSION_IS_OPEN} and coalesce(u.id, c.id) is not null
    and ($2::bigint is null
      or (s.created, s.sid) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid))
    and ${ownedBy('$5', '$6')}
  order by s.created desc, s.sid desc limit $4`;

const FIND = `
  select coalesce(u.email, c.client_id, '') as user, ${SESSION_IS_OPEN} as "isOpen"
  from sessions s ${NAMED} where s.tenant_id = $1 and s.sid = $2 and ${ownedBy('$3', '$4')} for update of s`;

const END = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $3 where tenant_id = $1 and sid = $2`;

const FIND_OWNER = `
  select 'user' as kind, id, email as name from users where tenant_id = $1 and id = $2
  union all
  select 'client' as kind, id, client_id as name from clients where tenant_id = $1 and id = $2`;

/** Locked in one order, so that two admins who end all sessions at once do not wait for each other. */
const END_ALL = `
  with due as (
    select s.sid from sessions s join tenants t on t.id = s.tenant_id
    where s.tenant_id = $1 and ${SESSION_IS_OPEN} and s.sid is distinct from $2::uuid and ${ownedBy('$4', '$5')}
    order by s.sid for update of s
  )
  update sessions s set revoked_at = clock_timestamp(), revoke_reason = $3
  from due where s.tenant_id = $1 and s.sid = due.sid returning s.sid`;

export const createSessionRepository = (transaction: Transaction, tenantId: string): SessionRepository => ({
  async list({ owner, after, size }) {
    const values = [tenantId, after?.createdMicros ?? null, after?.sid ?? null, size + 1];
    const rows = await transaction.query<Row>(LIST, [...values, owner?.kind ?? null, owner?.id ?? null]);
    const last = rows[size - 1];
    return {
      entries: rows.slice(0, size).map(({ created, used, expires, micros: _micros, ...row }) => ({
        ...row,
        created_ts: created.getTime(),
        last_used_ts: used.getTime(),
        expires_ts: expires.getTime(),
      })),
      next: rows.length > size && last !== undefined ? { createdMicros: last.micros, sid: last.id } : undefined,
    };
  },
  async lock(sid, owner) {
    if (!isUuid(sid)) return undefined;
    const values = [tenantId, sid, owner?.kind ?? null, owner?.id ?? null];
    const [found] = await transaction.query<{ user: string; isOpen: boolean }>(FIND, values);
    return found;
  },
  async end(sid, reason) {
    await transaction.query(END, [tenantId, sid, reason]);
  },
  async findOwner(accountId) {
    const [found] = await transaction.query<SessionOwner & { name: string }>(FIND_OWNER, [tenantId, accountId]);
    return found;
  },
  async endAll(owner, keptSid, reason) {
    const values = [tenantId, keptSid ?? null, reason, owner?.kind ?? null, owner?.id ?? null];
    return (await transaction.query(END_ALL, values)).length;
  },
  endOthers: ({ kind, id }, keptSid, reason) => revokeSessionsOf(transaction, { tenantId, kind, id, keptSid }, reason),
});
