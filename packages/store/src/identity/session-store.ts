import { type AuditRecord, ProblemError, SESSION_USER_AGENT_MAX, signInProblem } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { LOGIN_NOTE_DUE, NOTE_LOGIN } from './note-login.ts';
import { INSERT_REFRESH_TOKEN } from './refresh-token-store.ts';
import { NOTE_SECRET_USE, secretIdOf } from './secret-id.ts';
import { NOTE_SESSION_STREAM, SESSION_IS_BUSY, SESSION_LAST_USE } from './session-use.ts';

export interface NewSession {
  readonly tenantId: string;
  readonly sid: string;
  readonly account: { readonly kind: 'user' | 'client'; readonly id: string };
  /** Absolute: a refresh does not extend it. */
  readonly expires: Date;
  /** Id of the key that signed its tokens. */
  readonly keyId: string;
  /** SHA-256 of the browser's cookie. */
  readonly cookieHash?: Uint8Array | undefined;
  /** SHA-256 of the cookie that the browser loses to this one. Its session ends: nothing else would end it before its time. */
  readonly replacedCookieHash?: Uint8Array | undefined;
  /** First token of its first family; absent for sessions that cannot be refreshed. */
  readonly refreshToken?: { readonly family: string; readonly tokenHash: Uint8Array } | undefined;
  /** Stored hash that the password or secret matched. No session opens with one that was removed meanwhile. */
  readonly secretHash?: string | undefined;
  /** Identity at the identity provider, with its encrypted ID token, to end the provider's session too. */
  readonly identity?: SessionIdentity | undefined;
  /** Number of sessions that the account may have. Those that are idle longest are revoked to make room for this one. */
  readonly sessionsMax: number;
  /** Record of the login. The session keeps its address and the beginning of its user agent. */
  readonly audit: AuditRecord;
}

interface SessionHolder {
  readonly sid: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly expires: Date;
}

/** Identity that a provider reported when a session was opened. */
interface SessionIdentity {
  readonly issuer: string;
  readonly sealed: Uint8Array;
}

export interface SessionStore {
  /**
   * Stores the session, its first refresh token and its audit record in one transaction. Throws `unauthorized`, or `invalid_client` for a
   * client, when the account is disabled or no longer has the verified secret.
   */
  create(session: NewSession): Promise<void>;
  /** Finds the active session of a browser's cookie. */
  findByCookie(tenantId: string, cookieHash: Uint8Array): Promise<SessionHolder | undefined>;
  /** Returns the identity of a session that was opened at an identity provider. */
  findIdentity(tenantId: string, sid: string): Promise<SessionIdentity | undefined>;
  /** Keeps a session that reads a stream from counting as idle. Lasts 30 s. */
  noteStream(tenantId: string, sid: string): Promise<void>;
  /** Ends a session. Returns true when it was active until now; only then the audit record is written, in the same transaction. */
  revoke(session: { tenantId: string; sid: string; reason: string; audit: AuditRecord }): Promise<boolean>;
  /** Removes sessions, and invitations without a user, that ended over a day ago. */
  deleteExpired(): Promise<void>;
}

const CREATE = `
  insert into sessions
    (tenant_id, sid, account_kind, account_id, expires, key_id, cookie_hash, secret_id, issuer, identity_sealed, address, user_agent)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const FIND_BY_COOKIE = `
  select sid, account_kind as "accountKind", account_id as "accountId", expires from sessions
  where tenant_id = $1 and cookie_hash = $2 and revoked_at is null and expires > now()`;

const FIND_IDENTITY = `
  select issuer, identity_sealed as sealed from sessions
  where tenant_id = $1 and sid = $2 and issuer is not null and identity_sealed is not null`;

const REVOKE = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $3
  where tenant_id = $1 and sid = $2 and revoked_at is null and expires > now() returning sid`;

const REVOKE_REPLACED = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = 'replaced by a login'
  where tenant_id = $1 and cookie_hash = $2 and revoked_at is null`;

/** Serializes the logins of one account, so that concurrent logins cannot exceed the limit of sessions. */
const LOCK_ACCOUNT = `select pg_advisory_xact_lock(hashtextextended('sluice.sessions ' || $1 || ' ' || $2, 0))`;

const REVOKE_IDLEST = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = 'too many sessions'
  where tenant_id = $1 and sid in (
    select s.sid from sessions s
    where s.tenant_id = $1 and s.account_id = $2 and s.revoked_at is null and s.expires > clock_timestamp() and s.sid <> $3
    order by ${SESSION_IS_BUSY} desc, ${SESSION_LAST_USE} desc, s.sid offset $4)`;

/**
 * Held until the session is stored. A transaction that removes the secret and then ends the sessions therefore either finds this session or
 * prevents it.
 */
const LOCK_CREDENTIALS = {
  user: `
    select ${LOGIN_NOTE_DUE} as is_note_due from users u
    where u.tenant_id = $1 and u.id = $2 and u.password_hash = $3 and not u.disabled for share`,
  client: `
    select false as is_note_due from clients
    where tenant_id = $1 and id = $2 and $3 = any (secret_hashes) and not disabled for share`,
} as const;

const LOCK_USER = `
  select ${LOGIN_NOTE_DUE} as is_note_due from users u
  where u.tenant_id = $1 and u.id = $2 and not u.disabled for share`;

interface LockedAccount {
  /** Whether the time of the login has to be written. */
  readonly is_note_due: boolean;
}

/** An account of an identity provider has no secret here, but may have been disabled or removed meanwhile. */
async function lockIdentity(transaction: Transaction, { tenantId, account }: NewSession): Promise<LockedAccount> {
  const [held] = await transaction.query<LockedAccount>(LOCK_USER, [tenantId, account.id]);
  if (held === undefined) throw signInProblem('unauthorized', 'account_cannot_log_in');
  return held;
}

/** Verifying takes as long as a hash, and longer when many hashes are queued: enough time for a password reset. */
async function lockCredentials(transaction: Transaction, session: NewSession): Promise<LockedAccount> {
  const {
    tenantId,
    account: { kind, id },
    secretHash,
  } = session;
  if (session.identity !== undefined) return lockIdentity(transaction, session);
  if (secretHash === undefined) return { is_note_due: false };
  const [held] = await transaction.query<LockedAccount>(LOCK_CREDENTIALS[kind], [tenantId, id, secretHash]);
  if (held !== undefined) return held;
  throw kind === 'user'
    ? signInProblem('unauthorized', 'wrong_password')
    : new ProblemError('invalid_client', 'The client id or secret is wrong.');
}

export function createSessionStore(database: Database): SessionStore {
  return {
    async create(wanted) {
      const { tenantId, sid, account, expires, keyId, cookieHash, refreshToken, secretHash, identity, audit } = wanted;
      const othersMax = wanted.sessionsMax - 1;
      const secretId = secretHash === undefined || account.kind === 'user' ? null : secretIdOf(secretHash);
      const isNoteDue = await database.withTenant(tenantId, async (transaction) => {
        const { is_note_due: isDue } = await lockCredentials(transaction, wanted);
        await transaction.query(LOCK_ACCOUNT, [tenantId, account.id]);
        const session = [tenantId, sid, account.kind, account.id, expires, keyId, cookieHash ?? null, secretId];
        await transaction.query(CREATE, [
          ...session,
          identity?.issuer ?? null,
          identity?.sealed ?? null,
          audit.address ?? null,
          audit.userAgent?.slice(0, SESSION_USER_AGENT_MAX).toWellFormed() ?? null,
        ]);
        if (wanted.replacedCookieHash !== undefined) {
          await transaction.query(REVOKE_REPLACED, [tenantId, wanted.replacedCookieHash]);
        }
        await transaction.query(REVOKE_IDLEST, [tenantId, account.id, sid, othersMax]);
        if (secretId !== null) await transaction.query(NOTE_SECRET_USE, [tenantId, account.id, secretId]);
        if (refreshToken !== undefined) {
          await transaction.query(INSERT_REFRESH_TOKEN, [tenantId, refreshToken.tokenHash, sid, refreshToken.family]);
        }
        await appendAudit(transaction, audit);
        return isDue;
      });
      // After the transaction, in which two logins of one user would wait for each other, and not awaited: a login must neither wait for the
      // note nor fail with it.
      if (isNoteDue) database.run({ tenantId }, NOTE_LOGIN, [tenantId, account.id]).catch(() => undefined);
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
        transaction.query<SessionIdentity>(FIND_IDENTITY, [tenantId, sid]),
      );
      return row;
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
    async deleteExpired() {
      const isExpired = `expires < now() - interval '1 day'`;
      await changeInBatches(database, { change: 'delete from sessions', table: 'sessions', where: isExpired });
      // Those with a user stay until another replaces them: they show that the user has never logged in.
      const where = `user_id is null and ${isExpired}`;
      await changeInBatches(database, { change: 'delete from invitations', table: 'invitations', where });
    },
  };
}
