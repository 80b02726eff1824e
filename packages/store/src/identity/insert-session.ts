import {
  type AuditRecord,
  type ClientKeys,
  ProblemError,
  type Scope,
  SESSION_USER_AGENT_MAX,
  signInProblem,
} from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { Transaction } from '../database/transaction.ts';
import { type LoginDevice, noteDevice } from './note-device.ts';
import { CLIENT_NOTE_DUE, LOGIN_NOTE_DUE } from './note-login.ts';
import { INSERT_REFRESH_TOKEN } from './refresh-token-store.ts';
import { ASSERTION_SECRET_ID, NOTE_SECRET_USE, secretIdOf } from './secret-id.ts';
import { SESSION_IS_BUSY, SESSION_LAST_USE } from './session-use.ts';

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
  /** Keys with which an assertion of the client was verified. No session opens with keys that were replaced meanwhile. */
  readonly clientKeys?: ClientKeys | undefined;
  /** Identity at the identity provider, with its encrypted ID token, to end the provider's session too. */
  readonly identity?: SessionIdentity | undefined;
  /** Session in which the user let a program log in. The new one does not begin unless that one is open, and names the same provider. */
  readonly approvedIn?: string | undefined;
  /** Program that the session belongs to. */
  readonly oauthClient?: string | undefined;
  /** Permissions to which the session is limited. Undefined: those of the account. */
  readonly scope?: Scope;
  /** Hosts for which its tokens are. Undefined: all. */
  readonly targets?: readonly string[] | undefined;
  /** Number of sessions that the account may have. Those that are idle longest are revoked to make room for this one. */
  readonly sessionsMax: number;
  /** Browser or program of a user. Absent for service accounts. */
  readonly device?: LoginDevice;
  /** Record of the login. The session keeps its address and the beginning of its user agent. */
  readonly audit: AuditRecord;
}

/** Identity that a provider reported when a session was opened. */
export interface SessionIdentity {
  readonly issuer: string;
  /** `sub` of the ID token. */
  readonly subject: string;
  /** `sid` of the ID token: the session at the provider. Undefined if the provider names none. */
  readonly providerSid: string | undefined;
  /** Encrypted ID token. */
  readonly sealed: Uint8Array;
}

const CREATE = `
  insert into sessions
    (tenant_id, sid, account_kind, account_id, expires, key_id, cookie_hash, secret_id, issuer, identity_sealed, address, user_agent,
    oauth_client, scope, targets)
  values ($1, $2, $3, $4, $5, $6, $7, $8,
    coalesce($9, (select issuer from sessions where tenant_id = $1 and sid = $13)), $10, $11, $12, $14, $15, $16)`;

/** Not of a program's session, which goes on when the provider ends that of the browser. */
const CREATE_AT_PROVIDER = `
  insert into provider_sessions (tenant_id, sid, issuer, subject, provider_sid) values ($1, $2, $3, $4, $5)`;

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
    select ${CLIENT_NOTE_DUE} as is_note_due from clients c
    where c.tenant_id = $1 and c.id = $2 and $3 = any (c.secret_hashes || c.further_secret_hashes) and not c.disabled for share`,
} as const;

const LOCK_KEYS = `
  select ${CLIENT_NOTE_DUE} as is_note_due from clients c
  where c.tenant_id = $1 and c.id = $2 and c.jwks is not distinct from $3::jsonb and c.jwks_uri is not distinct from $4
    and not c.disabled for share`;

const LOCK_USER = `
  select ${LOGIN_NOTE_DUE} as is_note_due from users u
  where u.tenant_id = $1 and u.id = $2 and not u.disabled for share`;

interface LockedAccount {
  /** Whether the time of the login has to be written. */
  readonly is_note_due: boolean;
}

const NO_NOTE: LockedAccount = { is_note_due: false };

/** An account of an identity provider has no secret here, but may have been disabled or removed meanwhile. */
async function lockIdentity(transaction: Transaction, { tenantId, account }: NewSession): Promise<LockedAccount> {
  const [held] = await transaction.query<LockedAccount>(LOCK_USER, [tenantId, account.id]);
  if (held === undefined) throw signInProblem('unauthorized', 'account_cannot_log_in');
  return held;
}

/** A change that removes rights of an account ends its sessions, so that of the approval is open only while all rights are. */
const LOCK_APPROVAL = `
  select 1 from sessions
  where tenant_id = $1 and sid = $2 and account_id = $3 and revoked_at is null and expires > clock_timestamp() for share`;

async function lockApproval(
  transaction: Transaction,
  { tenantId, account, approvedIn }: NewSession,
): Promise<LockedAccount> {
  const held = await transaction.query(LOCK_APPROVAL, [tenantId, approvedIn, account.id]);
  if (held.length === 0) throw new ProblemError('invalid_grant', 'The session of the approval is over. Log in again.');
  return NO_NOTE;
}

async function lockKeys(
  transaction: Transaction,
  { tenantId, account: { id } }: NewSession,
  { jwks, jwksUri }: ClientKeys,
): Promise<LockedAccount> {
  const values = [tenantId, id, jwks === null ? null : JSON.stringify(jwks), jwksUri];
  const [held] = await transaction.query<LockedAccount>(LOCK_KEYS, values);
  if (held === undefined) throw new ProblemError('invalid_client', 'The keys of this client have changed.');
  return held;
}

/** Returns the id of the secret that a session belongs to, so that it ends with it. */
function secretIdIn({ account, secretHash, clientKeys }: NewSession): string | null {
  if (account.kind === 'user') return null;
  if (secretHash !== undefined) return secretIdOf(secretHash);
  return clientKeys === undefined ? null : ASSERTION_SECRET_ID;
}

/** Verifying takes as long as a hash, and longer when many hashes are queued: enough time for a password reset. */
async function lockCredentials(transaction: Transaction, session: NewSession): Promise<LockedAccount> {
  const {
    tenantId,
    account: { kind, id },
    secretHash,
  } = session;
  if (session.approvedIn !== undefined) return lockApproval(transaction, session);
  if (session.identity !== undefined) return lockIdentity(transaction, session);
  if (session.clientKeys !== undefined) return lockKeys(transaction, session, session.clientKeys);
  if (secretHash === undefined) return NO_NOTE;
  const [held] = await transaction.query<LockedAccount>(LOCK_CREDENTIALS[kind], [tenantId, id, secretHash]);
  if (held !== undefined) return held;
  throw kind === 'user'
    ? signInProblem('unauthorized', 'wrong_password')
    : new ProblemError('invalid_client', 'The client id or secret is wrong.');
}

/**
 * Stores a session, its first refresh token and its audit record, and ends the sessions that it displaces. Returns whether the time of the
 * login has to be written afterwards.
 */
export async function insertSession(transaction: Transaction, wanted: NewSession): Promise<boolean> {
  const { tenantId, sid, account, expires, keyId, cookieHash, refreshToken, secretHash, identity, audit } = wanted;
  const othersMax = wanted.sessionsMax - 1;
  const secretId = secretIdIn(wanted);
  // First: two approvals in one session would otherwise share its lock, and the one that displaces it would wait for the other.
  await transaction.query(LOCK_ACCOUNT, [tenantId, account.id]);
  const { is_note_due: isNoteDue } = await lockCredentials(transaction, wanted);
  const session = [tenantId, sid, account.kind, account.id, expires, keyId, cookieHash ?? null, secretId];
  await transaction.query(CREATE, [
    ...session,
    identity?.issuer ?? null,
    identity?.sealed ?? null,
    audit.address ?? null,
    audit.userAgent?.slice(0, SESSION_USER_AGENT_MAX).toWellFormed() ?? null,
    wanted.approvedIn ?? null,
    wanted.oauthClient ?? null,
    wanted.scope ?? null,
    wanted.targets ?? null,
  ]);
  if (identity !== undefined) {
    const { issuer, subject, providerSid } = identity;
    await transaction.query(CREATE_AT_PROVIDER, [tenantId, sid, issuer, subject, providerSid ?? null]);
  }
  if (wanted.replacedCookieHash !== undefined) {
    await transaction.query(REVOKE_REPLACED, [tenantId, wanted.replacedCookieHash]);
  }
  await transaction.query(REVOKE_IDLEST, [tenantId, account.id, sid, othersMax]);
  if (secretId !== null && secretHash !== undefined)
    await transaction.query(NOTE_SECRET_USE, [tenantId, account.id, secretId]);
  if (refreshToken !== undefined) {
    await transaction.query(INSERT_REFRESH_TOKEN, [tenantId, refreshToken.tokenHash, sid, refreshToken.family]);
  }
  await appendAudit(transaction, audit);
  if (wanted.device !== undefined) {
    await noteDevice(transaction, { tenantId, userId: account.id, device: wanted.device, audit });
  }
  return isNoteDue;
}
