import type { AuditRecord } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import { insertSession, type NewSession, type SessionIdentity } from './insert-session.ts';
import { NOTE_CLIENT_USE, NOTE_LOGIN } from './note-login.ts';
import { NOTE_SESSION_STREAM, SESSION_END, SESSION_IS_OPEN, SESSION_IS_OVERDUE } from './session-use.ts';

interface SessionHolder {
  readonly sid: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly expires: Date;
  /** Time since the login. */
  readonly ageMs: number;
}

/** Session that was opened at an identity provider. */
interface ProviderSession {
  readonly sid: string;
  /** E-mail of its user. */
  readonly user: string;
}

/** End of sessions at an identity provider. Either `providerSid` or `subject` is defined. */
interface ProviderLogout {
  readonly tenantId: string;
  readonly issuer: string;
  readonly providerSid: string | undefined;
  readonly subject: string | undefined;
  /** SHA-256 of what makes the logout token unique. */
  readonly tokenHash: Uint8Array;
  readonly auditOf: (session: ProviderSession) => AuditRecord;
}

export interface SessionStore {
  /**
   * Stores the session, its first refresh token and its audit record in one transaction. Throws `unauthorized`, or `invalid_client` for a
   * client, when the account is disabled or no longer has the verified secret or keys.
   */
  create(session: NewSession): Promise<void>;
  /** Finds the active session of a browser's cookie. */
  findByCookie(tenantId: string, cookieHash: Uint8Array): Promise<SessionHolder | undefined>;
  /** Returns the identity of a session that was opened at an identity provider. */
  findIdentity(tenantId: string, sid: string): Promise<Pick<SessionIdentity, 'issuer' | 'sealed'> | undefined>;
  /** Returns the program that a session belongs to; null for none. */
  findOAuthClient(tenantId: string, sid: string): Promise<string | null>;
  /** Keeps a session that reads a stream from counting as idle. Lasts 30 s. */
  noteStream(tenantId: string, sid: string): Promise<void>;
  /** Ends a session. Returns true when it was active until now; only then the audit record is written, in the same transaction. */
  revoke(session: { tenantId: string; sid: string; reason: string; audit: AuditRecord }): Promise<boolean>;
  /**
   * Ends sessions that are idle or old by the settings of their tenant, with a record for each. They are not accepted before either; ended,
   * they stay so when the tenant allows more.
   */
  endOverdue(): Promise<void>;
  /**
   * Ends the sessions that an identity provider has ended, each with its record. Returns them; undefined if the logout token was used
   * before.
   */
  revokeAtProvider(logout: ProviderLogout): Promise<readonly ProviderSession[] | undefined>;
  /** Removes sessions, and invitations without a user, that ended over a day ago, and logout tokens that have expired. */
  deleteExpired(): Promise<void>;
}

const FIND_BY_COOKIE = `
  select s.sid, s.account_kind as "accountKind", s.account_id as "accountId", ${SESSION_END} as expires,
    greatest(0, extract(epoch from clock_timestamp() - s.created) * 1000)::float8 as "ageMs"
  from sessions s join tenants t on t.id = s.tenant_id
  where s.tenant_id = $1 and s.cookie_hash = $2 and ${SESSION_IS_OPEN}`;

const FIND_IDENTITY = `
  select issuer, identity_sealed as sealed from sessions
  where tenant_id = $1 and sid = $2 and issuer is not null and identity_sealed is not null`;

const FIND_OAUTH_CLIENT = 'select oauth_client as client from sessions where tenant_id = $1 and sid = $2';

const REVOKE = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $3
  where tenant_id = $1 and sid = $2 and revoked_at is null and expires > now() returning sid`;

const FIND_OVERDUE = `
  select s.tenant_id as "tenantId", array_agg(s.sid) as sids
  from tenants t join sessions s on s.tenant_id = t.id
  where t.settings ? 'sessionLimits' and s.revoked_at is null and s.expires > now() and ${SESSION_IS_OVERDUE}
  group by s.tenant_id`;

/** Skips sessions that a request has locked: they are in use. */
const END_OVERDUE = `
  with due as (
    select s.sid, u.email, case when ${SESSION_END} <= now() then 'lifetime' else 'idle' end as reason
    from sessions s join tenants t on t.id = s.tenant_id join users u on u.tenant_id = s.tenant_id and u.id = s.account_id
    where s.tenant_id = $1 and s.sid = any ($2) and s.revoked_at is null and ${SESSION_IS_OVERDUE}
    for update of s skip locked
  )
  update sessions s set revoked_at = clock_timestamp(), revoke_reason = due.reason from due
  where s.tenant_id = $1 and s.sid = due.sid returning s.sid, due.email, due.reason`;

/** User of records of what a host does by itself. */
const HOST_USER = 'sluice';

interface EndedSession {
  readonly sid: string;
  readonly email: string;
  readonly reason: 'lifetime' | 'idle';
}
/** Longer than a logout token is accepted. */
const TAKE_LOGOUT_TOKEN = `
  insert into logout_tokens (tenant_id, token_hash, expires) values ($1, $2, clock_timestamp() + interval '1 hour')
  on conflict do nothing returning 1`;

/**
 * Sessions of programs are not among them: they go on when the user logs out, as at our own logout. A provider without `sid` in its ID
 * tokens names the subject.
 */
const REVOKE_AT_PROVIDER = `
  update sessions s set revoked_at = clock_timestamp(), revoke_reason = 'logout at the identity provider'
  from provider_sessions p, users u
  where p.tenant_id = $1 and p.issuer = $2
    and ($3::text is null or p.provider_sid = $3 or (p.provider_sid is null and $4::text is not null))
    and ($4::text is null or p.subject = $4)
    and s.tenant_id = p.tenant_id and s.sid = p.sid and s.revoked_at is null and s.expires > now()
    and u.tenant_id = s.tenant_id and u.id = s.account_id
  returning s.sid, u.email as user`;

export function createSessionStore(database: Database): SessionStore {
  return {
    async create(session) {
      const { tenantId, account } = session;
      const isNoteDue = await database.withTenant(tenantId, (transaction) => insertSession(transaction, session));
      // After the transaction, in which two logins of one user would wait for each other, and not awaited: a login must neither wait for the
      // note nor fail with it.
      const note = account.kind === 'user' ? NOTE_LOGIN : NOTE_CLIENT_USE;
      if (isNoteDue) database.run({ tenantId }, note, [tenantId, account.id]).catch(() => undefined);
    },
    async findByCookie(tenantId, cookieHash) {
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<SessionHolder>(FIND_BY_COOKIE, [tenantId, cookieHash]),
      );
      return row;
    },
    async findIdentity(tenantId, sid) {
      if (!isUuid(sid)) return undefined;
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<Pick<SessionIdentity, 'issuer' | 'sealed'>>(FIND_IDENTITY, [tenantId, sid]),
      );
      return row;
    },
    async findOAuthClient(tenantId, sid) {
      if (!isUuid(sid)) return null;
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<{ client: string | null }>(FIND_OAUTH_CLIENT, [tenantId, sid]),
      );
      return row?.client ?? null;
    },
    async noteStream(tenantId, sid) {
      await database.run({ tenantId }, NOTE_SESSION_STREAM, [tenantId, sid]);
    },
    async revoke({ tenantId, sid, reason, audit }) {
      if (!isUuid(sid)) return false;
      return database.withTenant(tenantId, async (transaction) => {
        const revoked = await transaction.query(REVOKE, [tenantId, sid, reason]);
        if (revoked.length === 0) return false;
        await appendAudit(transaction, audit);
        return true;
      });
    },
    async endOverdue() {
      const found = await database.acrossTenants((transaction) =>
        transaction.query<{ tenantId: string; sids: string[] }>(FIND_OVERDUE),
      );
      for (const { tenantId, sids } of found) {
        await database.withTenant(tenantId, async (transaction) => {
          for (const { sid, email, reason } of await transaction.query<EndedSession>(END_OVERDUE, [tenantId, sids])) {
            const metadata = { session_id: sid, cause: reason };
            await appendAudit(transaction, {
              tenantId,
              user: HOST_USER,
              action: 'END_SESSION',
              target: email,
              metadata,
            });
          }
        });
      }
    },
    async revokeAtProvider({ tenantId, issuer, providerSid, subject, tokenHash, auditOf }) {
      return database.withTenant(tenantId, async (transaction) => {
        const taken = await transaction.query(TAKE_LOGOUT_TOKEN, [tenantId, tokenHash]);
        if (taken.length === 0) return undefined;
        const wanted = [tenantId, issuer, providerSid ?? null, subject ?? null];
        const revoked = await transaction.query<ProviderSession>(REVOKE_AT_PROVIDER, wanted);
        for (const session of revoked) await appendAudit(transaction, auditOf(session));
        return revoked;
      });
    },
    async deleteExpired() {
      await changeInBatches(database, {
        change: 'delete from logout_tokens',
        table: 'logout_tokens',
        where: 'expires < now()',
      });
      const isExpired = `expires < now() - interval '1 day'`;
      await changeInBatches(database, { change: 'delete from sessions', table: 'sessions', where: isExpired });
      // Those with a user stay until another replaces them: they show that the user has never logged in.
      const where = `user_id is null and ${isExpired}`;
      await changeInBatches(database, { change: 'delete from invitations', table: 'invitations', where });
    },
  };
}
