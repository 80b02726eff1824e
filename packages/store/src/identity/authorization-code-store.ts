import type { AuditRecord, Scope } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { insertSession, type NewSession } from './insert-session.ts';
import { SESSION_END } from './session-use.ts';

/** Approval of a login, for which the program gets a code. */
interface NewAuthorizationCode {
  readonly tenantId: string;
  readonly codeHash: Uint8Array;
  readonly oauthClient: string;
  readonly redirectUri: string;
  /** Code challenge of the method S256. */
  readonly challenge: string;
  readonly scope: Scope;
  /** Hosts for which its tokens are; undefined: all. */
  readonly targets: readonly string[] | undefined;
  readonly nonce: string | undefined;
  readonly accountId: string;
  /** Session of the browser in which the user consented. */
  readonly approvedIn: string;
  readonly lifetimeMs: number;
}

/** A code in any state. */
export interface AuthorizationCode {
  readonly oauthClient: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: readonly string[] | null;
  readonly targets: readonly string[] | null;
  readonly nonce: string | null;
  readonly accountId: string;
  readonly approvedIn: string;
  /** Time of the login in the session of the approval. */
  readonly authenticated: Date;
  /** End of the session of the approval. */
  readonly sessionExpires: Date;
  readonly isUsed: boolean;
}

/** `reused`: the code was used before, and the session that it opened is revoked. `refused`: it is unknown or has expired. */
type Redemption = 'redeemed' | 'reused' | 'refused';

interface CodeUse {
  readonly tenantId: string;
  readonly codeHash: Uint8Array;
  /** Session that the code opens. */
  readonly session: NewSession;
  readonly reused: AuditRecord;
}

export interface AuthorizationCodeStore {
  begin(code: NewAuthorizationCode): Promise<void>;
  find(tenantId: string, codeHash: Uint8Array): Promise<AuthorizationCode | undefined>;
  /** Opens the session of a code. Of many parallel uses, exactly one is `redeemed`, and the others revoke its session. */
  redeem(use: CodeUse): Promise<Redemption>;
  /** Revokes the session of a code that was used before. Returns false for a code that was not. */
  revokeReused(use: Pick<CodeUse, 'tenantId' | 'codeHash' | 'reused'>): Promise<boolean>;
  /** Removes codes that expired over a day ago. */
  deleteExpired(): Promise<void>;
}

const BEGIN = `
  insert into authorization_codes
    (tenant_id, code_hash, oauth_client, redirect_uri, challenge, scope, targets, nonce, account_id, approved_in, expires)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + make_interval(secs => $11::float8 / 1000))`;

const FIND = `
  select c.oauth_client as "oauthClient", c.redirect_uri as "redirectUri", c.challenge, c.scope, c.targets, c.nonce,
    c.account_id as "accountId", c.approved_in as "approvedIn", s.created as authenticated, ${SESSION_END} as "sessionExpires", c.sid is not null as "isUsed"
  from authorization_codes c join sessions s on s.tenant_id = c.tenant_id and s.sid = c.approved_in
  join tenants t on t.id = s.tenant_id
  where c.tenant_id = $1 and c.code_hash = $2`;

/** One statement: a parallel use waits for the row, and then finds it used. */
const USE = `
  update authorization_codes set sid = $3
  where tenant_id = $1 and code_hash = $2 and sid is null and expires > clock_timestamp() returning 1`;

const REVOKE_SESSION = `
  update sessions s set revoked_at = coalesce(s.revoked_at, clock_timestamp()),
    revoke_reason = coalesce(s.revoke_reason, 'authorization code reused')
  from authorization_codes c
  where c.tenant_id = $1 and c.code_hash = $2 and s.tenant_id = c.tenant_id and s.sid = c.sid returning 1`;

/** RFC 6749 section 4.1.2: a code that is used twice has two holders, one of them a thief, so both lose the session. */
async function revokeReused(
  transaction: Transaction,
  { tenantId, codeHash, reused }: Pick<CodeUse, 'tenantId' | 'codeHash' | 'reused'>,
): Promise<boolean> {
  const revoked = await transaction.query(REVOKE_SESSION, [tenantId, codeHash]);
  if (revoked.length === 0) return false;
  await appendAudit(transaction, reused);
  return true;
}

export const createAuthorizationCodeStore = (database: Database): AuthorizationCodeStore => ({
  async begin({ tenantId, codeHash, oauthClient, redirectUri, challenge, scope, targets, nonce, ...approval }) {
    const request = [oauthClient, redirectUri, challenge, scope ?? null, targets ?? null, nonce ?? null];
    const { accountId, approvedIn, lifetimeMs } = approval;
    const values = [tenantId, codeHash, ...request, accountId, approvedIn, lifetimeMs];
    await database.withTenant(tenantId, (transaction) => transaction.query(BEGIN, values));
  },
  async find(tenantId, codeHash) {
    const [row] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<AuthorizationCode>(FIND, [tenantId, codeHash]),
    );
    return row;
  },
  redeem: (use) =>
    database.withTenant(use.tenantId, async (transaction) => {
      const { tenantId, codeHash, session } = use;
      const used = await transaction.query(USE, [tenantId, codeHash, session.sid]);
      if (used.length === 0) return (await revokeReused(transaction, use)) ? 'reused' : 'refused';
      await insertSession(transaction, session);
      return 'redeemed';
    }),
  revokeReused: (use) => database.withTenant(use.tenantId, (transaction) => revokeReused(transaction, use)),
  async deleteExpired() {
    await changeInBatches(database, {
      change: 'delete from authorization_codes',
      table: 'authorization_codes',
      where: `expires < now() - interval '1 day'`,
    });
  },
});
