import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

/** Position in the list of sessions. */
export interface SessionPosition {
  /** Microseconds since the epoch. */
  readonly createdMicros: string;
  readonly sid: string;
}

interface ListedSession {
  readonly id: string;
  readonly kind: 'user' | 'client';
  readonly account_id: string;
  readonly user: string;
  readonly issuer: string | null;
  readonly created_ts: number;
  readonly expires_ts: number;
}

interface SessionEntries {
  readonly entries: readonly ListedSession[];
  readonly next: SessionPosition | undefined;
}

/** Sessions of one tenant, for its admins, within one transaction. */
export interface SessionRepository {
  /** Lists open sessions, newest first. */
  list(page: { readonly after?: SessionPosition | undefined; readonly size: number }): Promise<SessionEntries>;
  /** Finds a session and locks it. One that has ended is found for a day. */
  lock(sid: string): Promise<{ readonly user: string; readonly isOpen: boolean } | undefined>;
  end(sid: string): Promise<void>;
}

interface Row extends Omit<ListedSession, 'created_ts' | 'expires_ts'> {
  readonly created: Date;
  readonly micros: string;
  readonly expires: Date;
}

const NAMED = `
  left join users u on s.account_kind = 'user' and u.tenant_id = s.tenant_id and u.id = s.account_id
  left join clients c on s.account_kind = 'client' and c.tenant_id = s.tenant_id and c.id = s.account_id`;

const LIST = `
  select s.sid as id, s.account_kind as kind, s.account_id, coalesce(u.email, c.client_id) as user, s.issuer, s.created, s.expires,
    (extract(epoch from s.created) * 1000000)::bigint::text as micros
  from sessions s ${NAMED}
  where s.tenant_id = $1 and s.revoked_at is null and s.expires > now() and coalesce(u.id, c.id) is not null
    and ($2::bigint is null
      or (s.created, s.sid) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid))
  order by s.created desc, s.sid desc limit $4`;

const FIND = `
  select coalesce(u.email, c.client_id, '') as user, s.revoked_at is null and s.expires > now() as "isOpen"
  from sessions s ${NAMED} where s.tenant_id = $1 and s.sid = $2 for update of s`;

const END = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = 'ended by an admin' where tenant_id = $1 and sid = $2`;

export const createSessionRepository = (transaction: Transaction, tenantId: string): SessionRepository => ({
  async list({ after, size }) {
    const values = [tenantId, after?.createdMicros ?? null, after?.sid ?? null, size + 1];
    const rows = await transaction.query<Row>(LIST, values);
    const last = rows[size - 1];
    return {
      entries: rows.slice(0, size).map(({ created, expires, micros: _micros, ...row }) => ({
        ...row,
        created_ts: created.getTime(),
        expires_ts: expires.getTime(),
      })),
      next: rows.length > size && last !== undefined ? { createdMicros: last.micros, sid: last.id } : undefined,
    };
  },
  async lock(sid) {
    if (!isUuid(sid)) return undefined;
    const [found] = await transaction.query<{ user: string; isOpen: boolean }>(FIND, [tenantId, sid]);
    return found;
  },
  async end(sid) {
    await transaction.query(END, [tenantId, sid]);
  },
});
