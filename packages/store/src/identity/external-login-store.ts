import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { insertSession, type NewSession } from './insert-session.ts';
import { SESSION_END } from './session-use.ts';

interface ExternalLoginReference {
  readonly tenantId: string;
  /** SHA-256 of the secret that the client polls with. */
  readonly secretHash: Uint8Array;
}

interface ExternalLoginDecision extends ExternalLoginReference {
  readonly decision: 'approved' | 'denied';
  readonly accountId: string;
  /** Session of the browser in which the user decided. */
  readonly approvedIn: string;
  readonly lifetimeMs: number;
}

interface ExternalLoginUse extends ExternalLoginReference {
  readonly session: NewSession;
  /** Address that gets the token, as throttles count it. */
  readonly poller: string;
  /** The token, encrypted under the secret. */
  readonly replay: Uint8Array;
}

/** A decided login of a Trino client. */
export type ExternalLogin =
  | { readonly kind: 'denied' | 'expired' }
  | { readonly kind: 'used'; readonly poller: string; readonly replay: Uint8Array | null }
  | {
      readonly kind: 'approved';
      readonly accountId: string;
      readonly approvedIn: string;
      /** Time of the login in the session of the approval. */
      readonly authenticated: Date;
      /** End of the session of the approval. */
      readonly sessionExpires: Date;
    };

export interface ExternalLoginStore {
  /** Stores the decision. Returns false if there is one already. */
  decide(decision: ExternalLoginDecision): Promise<boolean>;
  /** Finds a login. Undefined: it is not decided. */
  find(login: ExternalLoginReference): Promise<ExternalLogin | undefined>;
  /** Opens the session of an approved login. Of many parallel uses, exactly one returns true. */
  redeem(use: ExternalLoginUse): Promise<boolean>;
  /** Forgets the token of a login that is used. */
  eraseReplay(login: ExternalLoginReference): Promise<void>;
  /** Removes logins that expired over an hour ago. Until then, none can be decided or used again. */
  deleteExpired(): Promise<void>;
}

const DECIDE = `
  insert into external_logins (tenant_id, secret_hash, decision, account_id, approved_in, expires)
  values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6::float8 / 1000))
  on conflict do nothing returning 1`;

const FIND = `
  select e.decision, e.account_id as "accountId", e.approved_in as "approvedIn", e.poller, e.replay,
    s.created as authenticated, ${SESSION_END} as "sessionExpires",
    e.expires <= clock_timestamp() as "isExpired", e.sid is not null as "isUsed"
  from external_logins e left join sessions s on s.tenant_id = e.tenant_id and s.sid = e.approved_in
  left join tenants t on t.id = s.tenant_id
  where e.tenant_id = $1 and e.secret_hash = $2`;

const USE = `
  update external_logins set sid = $3, poller = $4, replay = $5
  where tenant_id = $1 and secret_hash = $2 and decision = 'approved' and sid is null and expires > clock_timestamp()
  returning 1`;

const ERASE_REPLAY =
  'update external_logins set replay = null where tenant_id = $1 and secret_hash = $2 and sid is not null';

interface Row {
  readonly decision: 'approved' | 'denied';
  readonly accountId: string;
  readonly approvedIn: string;
  readonly poller: string | null;
  readonly replay: Uint8Array | null;
  readonly authenticated: Date | null;
  readonly sessionExpires: Date | null;
  readonly isExpired: boolean;
  readonly isUsed: boolean;
}

function externalLoginOf(row: Row): ExternalLogin {
  const { poller, replay, authenticated, sessionExpires } = row;
  if (row.isExpired) return { kind: 'expired' };
  if (row.isUsed) return { kind: 'used', poller: poller ?? '', replay };
  if (row.decision === 'denied') return { kind: 'denied' };
  // The session of the approval is removed a day after its end, and this login after an hour.
  if (authenticated === null || sessionExpires === null) return { kind: 'expired' };
  return { kind: 'approved', accountId: row.accountId, approvedIn: row.approvedIn, authenticated, sessionExpires };
}

export const createExternalLoginStore = (database: Database): ExternalLoginStore => ({
  async decide({ tenantId, secretHash, decision, accountId, approvedIn, lifetimeMs }) {
    const values = [tenantId, secretHash, decision, accountId, approvedIn, lifetimeMs];
    const decided = await database.withTenant(tenantId, (transaction) => transaction.query(DECIDE, values));
    return decided.length > 0;
  },
  async find({ tenantId, secretHash }) {
    const [row] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<Row>(FIND, [tenantId, secretHash]),
    );
    return row && externalLoginOf(row);
  },
  redeem: ({ tenantId, secretHash, session, poller, replay }) =>
    database.withTenant(tenantId, async (transaction) => {
      const used = await transaction.query(USE, [tenantId, secretHash, session.sid, poller, replay]);
      if (used.length === 0) return false;
      await insertSession(transaction, session);
      return true;
    }),
  async eraseReplay({ tenantId, secretHash }) {
    await database.withTenant(tenantId, (transaction) => transaction.query(ERASE_REPLAY, [tenantId, secretHash]));
  },
  async deleteExpired() {
    await changeInBatches(database, {
      change: 'delete from external_logins',
      table: 'external_logins',
      where: `expires < now() - interval '1 hour'`,
    });
  },
});
