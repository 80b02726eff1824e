import { ProblemError } from '@sluice/contract';
import { type AuditRecord, appendAudit } from '../audit/audit-store.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { INSERT_REFRESH_TOKEN } from './refresh-token-store.ts';
import { NOTE_SECRET_USE, secretIdOf } from './secret-id.ts';

export interface NewSession {
  readonly tenantId: string;
  readonly sid: string;
  readonly account: { readonly kind: 'user' | 'client'; readonly id: string };
  /** Absolute: no refresh moves it. */
  readonly expires: Date;
  /** The key that signed its tokens. */
  readonly keyId: string;
  /** SHA-256 of the browser's cookie. */
  readonly cookieHash?: Uint8Array | undefined;
  /** The first token of its first family; absent for sessions that cannot be refreshed. */
  readonly refreshToken?: { readonly family: string; readonly tokenHash: Uint8Array } | undefined;
  /** The stored hash that the password or secret matched: no session opens by one that was taken away meanwhile. */
  readonly secretHash?: string | undefined;
  readonly audit: AuditRecord;
}

export interface SessionHolder {
  readonly sid: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly expires: Date;
}

export interface SessionStore {
  /**
   * The session, its first refresh token and its audit record, in one transaction. Throws `unauthorized`, and `invalid_client` for a
   * client, when the secret that was proved is no longer the account's, or the account is disabled.
   */
  create(session: NewSession): Promise<void>;
  /** The live session of a browser's cookie. */
  findByCookie(tenantId: string, cookieHash: Uint8Array): Promise<SessionHolder | undefined>;
  /** True when it was live until now. Its audit record is written in the same transaction, and only then. */
  revoke(session: { tenantId: string; sid: string; reason: string; audit: AuditRecord }): Promise<boolean>;
  /** Forgets sessions, invitations of nobody and throttles that have been over for a day. */
  forgetExpired(): Promise<void>;
}

const CREATE = `
  insert into sessions (tenant_id, sid, account_kind, account_id, expires, key_id, cookie_hash, secret_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const FIND_BY_COOKIE = `
  select sid, account_kind as "accountKind", account_id as "accountId", expires from sessions
  where tenant_id = $1 and cookie_hash = $2 and revoked_at is null and expires > now()`;

const REVOKE = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $3
  where tenant_id = $1 and sid = $2 and revoked_at is null and expires > now() returning sid`;

/** Held until the session is there, so that whoever takes the secret away, and then ends the sessions, either finds this one or prevents it. */
const HOLD_PROOF = {
  user: 'select 1 from users where tenant_id = $1 and id = $2 and password_hash = $3 and not disabled for share',
  client:
    'select 1 from clients where tenant_id = $1 and id = $2 and $3 = any (secret_hashes) and not disabled for share',
} as const;

/** Proving takes as long as a hash does, and longer when many wait for theirs: time enough for a reset. */
async function holdProof(
  transaction: Transaction,
  { tenantId, account: { kind, id }, secretHash }: NewSession,
): Promise<void> {
  if (secretHash === undefined) return;
  const held = await transaction.query(HOLD_PROOF[kind], [tenantId, id, secretHash]);
  if (held.length > 0) return;
  throw kind === 'user'
    ? new ProblemError('unauthorized', 'The e-mail or the password is wrong.')
    : new ProblemError('invalid_client', 'The client id or secret is wrong.');
}

export function createSessionStore(database: Database): SessionStore {
  return {
    async create(wanted) {
      const { tenantId, sid, account, expires, keyId, cookieHash, refreshToken, secretHash, audit } = wanted;
      const secretId = secretHash === undefined || account.kind === 'user' ? null : secretIdOf(secretHash);
      await database.withTenant(tenantId, async (transaction) => {
        await holdProof(transaction, wanted);
        const session = [tenantId, sid, account.kind, account.id, expires, keyId, cookieHash ?? null, secretId];
        await transaction.query(CREATE, session);
        if (secretId !== null) await transaction.query(NOTE_SECRET_USE, [tenantId, account.id, secretId]);
        if (refreshToken !== undefined) {
          await transaction.query(INSERT_REFRESH_TOKEN, [tenantId, refreshToken.tokenHash, sid, refreshToken.family]);
        }
        await appendAudit(transaction, audit);
      });
    },
    async findByCookie(tenantId, cookieHash) {
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<SessionHolder>(FIND_BY_COOKIE, [tenantId, cookieHash]),
      );
      return row;
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
    async forgetExpired() {
      await database.acrossTenants(async (transaction) => {
        await transaction.query(`delete from sessions where expires < now() - interval '1 day'`);
        // Those of a user stay until another takes their place: they tell that the user has never logged in.
        await transaction.query(`delete from invitations where user_id is null and expires < now() - interval '1 day'`);
        await transaction.query(`delete from login_throttles where last_failure < now() - interval '1 day'`);
      });
    },
  };
}
