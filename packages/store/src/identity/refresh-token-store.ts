import type { AuditRecord } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { SESSION_END, SESSION_IS_OPEN } from './session-use.ts';

interface RefreshTokenHolder {
  readonly sid: string;
  readonly accountId: string;
  readonly expires: Date;
  /** Program that the session belongs to; null for none. */
  readonly oauthClient: string | null;
  /** Permissions to which the session is limited; null for no limit. */
  readonly scope: readonly string[] | null;
  readonly state: TokenState['state'];
  /** Hosts for which its tokens are; null: all. */
  readonly targets: readonly string[] | null;
}

interface RotationRequest {
  readonly tenantId: string;
  /** SHA-256 of the presented token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of its successor. */
  readonly successorHash: Uint8Array;
  /** Whole response, encrypted so that only the presented token decrypts it. It is repeated within the grace period, then erased. */
  readonly replay: Uint8Array;
  readonly graceMs: number;
  readonly keyId: string;
  /** Audit record by outcome, written in the same transaction. */
  readonly audits: Readonly<Record<'rotated' | 'repeated' | 'reused', AuditRecord>>;
}

/** `repeated` carries the response to the first presentation. `reused` has revoked the session. */
export type Rotation =
  | { readonly kind: 'rotated' }
  | { readonly kind: 'repeated'; readonly replay: Uint8Array }
  | { readonly kind: 'reused' }
  | { readonly kind: 'refused' };

export interface RefreshTokenStore {
  /** Starts another token family in a session, for another page of the same browser. */
  begin(token: {
    tenantId: string;
    sid: string;
    family: string;
    tokenHash: Uint8Array;
    audit: AuditRecord;
  }): Promise<void>;
  /** Returns the holder of a token in any state. */
  find(tenantId: string, tokenHash: Uint8Array): Promise<RefreshTokenHolder | undefined>;
  /** Exchanges a token for its successor. Of many parallel presentations, exactly one is `rotated`. */
  rotate(request: RotationRequest): Promise<Rotation>;
  /** Erases responses that are older than the grace period. */
  eraseReplays(graceMs: number): Promise<void>;
}

const FIND = `
  select r.sid, s.account_id as "accountId", ${SESSION_END} as expires, s.oauth_client as "oauthClient", s.scope, s.targets, r.state
  from refresh_tokens r
  join sessions s on s.tenant_id = r.tenant_id and s.sid = r.sid
  join tenants t on t.id = r.tenant_id
  where r.tenant_id = $1 and r.token_hash = $2`;

/** The row of the session is the lock of all its tokens. The next statement sees what the previous holder of the lock committed. */
const LOCK_SESSION = `
  select s.sid from sessions s join refresh_tokens r on r.tenant_id = s.tenant_id and r.sid = s.sid
  where s.tenant_id = $1 and r.token_hash = $2 for update of s`;

const STATE = `
  select r.state, r.sid, r.family, r.replay,
    r.rotated_at > clock_timestamp() - make_interval(secs => $3::float8 / 1000) as "withinGrace",
    ${SESSION_IS_OPEN} and t.state = 'active'
      and not coalesce(u.disabled, c.disabled, true) as live
  from refresh_tokens r
  join sessions s on s.tenant_id = r.tenant_id and s.sid = r.sid
  join tenants t on t.id = r.tenant_id
  left join users u on s.account_kind = 'user' and u.tenant_id = r.tenant_id and u.id = s.account_id
  left join clients c on s.account_kind = 'client' and c.tenant_id = r.tenant_id and c.id = s.account_id
  where r.tenant_id = $1 and r.token_hash = $2`;

interface TokenState {
  readonly state: 'current' | 'previous' | 'spent';
  readonly sid: string;
  readonly family: string;
  readonly replay: Uint8Array | null;
  readonly withinGrace: boolean | null;
  readonly live: boolean;
}

export const INSERT_REFRESH_TOKEN =
  'insert into refresh_tokens (tenant_id, token_hash, sid, family) values ($1, $2, $3, $4)';

const rotateToken = async (
  transaction: Transaction,
  request: RotationRequest,
  token: TokenState,
): Promise<Rotation> => {
  const { tenantId, tokenHash } = request;
  await transaction.query(
    `update refresh_tokens set state = 'spent', replay = null where tenant_id = $1 and family = $2 and state = 'previous'`,
    [tenantId, token.family],
  );
  await transaction.query(
    `update refresh_tokens set state = 'previous', rotated_at = clock_timestamp(), replay = $3
     where tenant_id = $1 and token_hash = $2`,
    [tenantId, tokenHash, request.replay],
  );
  await transaction.query(INSERT_REFRESH_TOKEN, [tenantId, request.successorHash, token.sid, token.family]);
  await transaction.query('update sessions set key_id = $3 where tenant_id = $1 and sid = $2', [
    tenantId,
    token.sid,
    request.keyId,
  ]);
  await appendAudit(transaction, request.audits.rotated);
  return { kind: 'rotated' };
};

/** RFC 9700 section 4.14.2: a token that is used twice has two holders, one of them a thief, so both lose the session. */
const revokeReused = async (
  transaction: Transaction,
  request: RotationRequest,
  token: TokenState,
): Promise<Rotation> => {
  await transaction.query(
    `update sessions set revoked_at = clock_timestamp(), revoke_reason = 'refresh token reused' where tenant_id = $1 and sid = $2`,
    [request.tenantId, token.sid],
  );
  await appendAudit(transaction, request.audits.reused);
  return { kind: 'reused' };
};

export function createRefreshTokenStore(database: Database): RefreshTokenStore {
  return {
    async begin({ tenantId, sid, family, tokenHash, audit }) {
      await database.withTenant(tenantId, async (transaction) => {
        await transaction.query(INSERT_REFRESH_TOKEN, [tenantId, tokenHash, sid, family]);
        await appendAudit(transaction, audit);
      });
    },
    async find(tenantId, tokenHash) {
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<RefreshTokenHolder>(FIND, [tenantId, tokenHash]),
      );
      return row;
    },
    rotate: (request) =>
      database.withTenant(request.tenantId, async (transaction) => {
        await transaction.query(LOCK_SESSION, [request.tenantId, request.tokenHash]);
        const [token] = await transaction.query<TokenState>(STATE, [
          request.tenantId,
          request.tokenHash,
          request.graceMs,
        ]);
        if (!token?.live) return { kind: 'refused' };
        if (token.state === 'current') return rotateToken(transaction, request, token);
        if (token.state === 'previous' && token.withinGrace === true && token.replay !== null) {
          await appendAudit(transaction, request.audits.repeated);
          return { kind: 'repeated', replay: token.replay };
        }
        return revokeReused(transaction, request, token);
      }),
    async eraseReplays(graceMs) {
      await changeInBatches(database, {
        change: 'update refresh_tokens set replay = null',
        table: 'refresh_tokens',
        where: 'replay is not null and rotated_at < now() - make_interval(secs => $1::float8 / 1000)',
        values: [graceMs],
      });
    },
  };
}
