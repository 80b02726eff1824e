import type { Scope } from '@sluice/contract';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { insertSession, type NewSession } from './insert-session.ts';
import { SESSION_END } from './session-use.ts';

interface NewDeviceAuthorization {
  readonly tenantId: string;
  readonly deviceHash: Uint8Array;
  readonly userCodeHash: Uint8Array;
  readonly oauthClient: string;
  readonly scope: Scope;
  /** Hosts for which its tokens are; undefined: all. */
  readonly targets: readonly string[] | undefined;
  /** Address of the device, as throttles count it. */
  readonly address: string;
  readonly lifetimeMs: number;
  /** Time that the device waits between two polls. */
  readonly waitSeconds: number;
}

/** A login that waits for the decision of a user. */
export interface DeviceAuthorization {
  readonly oauthClient: string;
  readonly scope: readonly string[] | null;
  readonly address: string;
  readonly created: Date;
}

interface DeviceDecision {
  readonly tenantId: string;
  readonly userCodeHash: Uint8Array;
  readonly decision: 'approved' | 'denied';
  readonly accountId: string;
  /** Session of the browser in which the user decided. */
  readonly approvedIn: string;
}

/** State of a login as its device may know it. `early`: it polled before its time, and must wait longer from now on. */
type DevicePoll =
  | { readonly kind: 'unknown' | 'expired' | 'pending' | 'early' | 'denied' }
  | {
      readonly kind: 'approved';
      readonly accountId: string;
      readonly approvedIn: string;
      readonly scope: readonly string[] | null;
      readonly targets: readonly string[] | null;
      /** Time of the login in the session of the approval. */
      readonly authenticated: Date;
      /** End of the session of the approval. */
      readonly sessionExpires: Date;
    };

interface DeviceReference {
  readonly tenantId: string;
  readonly deviceHash: Uint8Array;
  readonly oauthClient: string;
}

export interface DeviceAuthorizationStore {
  /** Stores a login. When its address has reached the limit, the oldest one of the address is removed. */
  begin(authorization: NewDeviceAuthorization): Promise<void>;
  /** Finds a login that is not decided yet. */
  findPending(tenantId: string, userCodeHash: Uint8Array): Promise<DeviceAuthorization | undefined>;
  /** Stores the decision. Returns false if the login is unknown, decided or expired. */
  decide(decision: DeviceDecision): Promise<boolean>;
  poll(device: DeviceReference): Promise<DevicePoll>;
  /** Opens the session of an approved login. Of many parallel uses, exactly one returns true. */
  redeem(use: { tenantId: string; deviceHash: Uint8Array; session: NewSession }): Promise<boolean>;
  /** Removes logins that expired over an hour ago. */
  deleteExpired(): Promise<void>;
}

/** Logins of an address in a tenant: an attacker cannot fill the table, and a whole office can log in at once. */
const PENDING_MAX = 1000;

/** Added to the wait of a device that polls too early (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;

/** Skips logins that another request of the address displaces: two that waited for each other would deadlock. */
const BEGIN = `
  with displaced as (
    delete from device_authorizations where tenant_id = $1 and device_hash = any (array(
      select device_hash from device_authorizations where tenant_id = $1 and device_hash = any (array(
        select device_hash from device_authorizations where tenant_id = $1 and address = $6
        order by expires desc offset ${PENDING_MAX - 1}))
      for update skip locked))
  )
  insert into device_authorizations
    (tenant_id, device_hash, user_code_hash, oauth_client, scope, address, wait_seconds, expires, targets)
  values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8::float8 / 1000), $9)`;

const FIND_PENDING = `
  select oauth_client as "oauthClient", scope, address, created from device_authorizations
  where tenant_id = $1 and user_code_hash = $2 and decision is null and expires > clock_timestamp()`;

const DECIDE = `
  update device_authorizations set decision = $3, account_id = $4, approved_in = $5
  where tenant_id = $1 and user_code_hash = $2 and decision is null and expires > clock_timestamp() returning 1`;

const POLL = `
  select d.decision, d.account_id as "accountId", d.approved_in as "approvedIn", d.scope, d.targets,
    s.created as authenticated, ${SESSION_END} as "sessionExpires",
    d.expires <= clock_timestamp() as "isExpired", d.sid is not null as "isUsed",
    coalesce(d.last_poll > clock_timestamp() - make_interval(secs => d.wait_seconds), false) as "isEarly"
  from device_authorizations d left join sessions s on s.tenant_id = d.tenant_id and s.sid = d.approved_in
  left join tenants t on t.id = s.tenant_id
  where d.tenant_id = $1 and d.device_hash = $2 and d.oauth_client = $3 for update of d`;

const NOTE_POLL = `
  update device_authorizations set last_poll = clock_timestamp(), wait_seconds = wait_seconds + $3
  where tenant_id = $1 and device_hash = $2`;

const USE = `
  update device_authorizations set sid = $3
  where tenant_id = $1 and device_hash = $2 and decision = 'approved' and sid is null and expires > clock_timestamp()
  returning 1`;

interface PollRow {
  readonly decision: 'approved' | 'denied' | null;
  readonly accountId: string | null;
  readonly approvedIn: string | null;
  readonly scope: readonly string[] | null;
  readonly targets: readonly string[] | null;
  readonly authenticated: Date | null;
  readonly sessionExpires: Date | null;
  readonly isExpired: boolean;
  readonly isUsed: boolean;
  readonly isEarly: boolean;
}

function pollOf(row: PollRow | undefined): DevicePoll {
  if (row === undefined || row.isUsed) return { kind: 'unknown' };
  if (row.isExpired) return { kind: 'expired' };
  if (row.decision === null) return { kind: row.isEarly ? 'early' : 'pending' };
  if (row.decision === 'denied') return { kind: 'denied' };
  const { accountId, approvedIn, scope, targets, authenticated, sessionExpires } = row;
  // The session of the approval is removed a day after its end, and this login after an hour.
  if (accountId === null || approvedIn === null || authenticated === null || sessionExpires === null)
    return { kind: 'unknown' };
  return { kind: 'approved', accountId, approvedIn, scope, targets, authenticated, sessionExpires };
}

export const createDeviceAuthorizationStore = (database: Database): DeviceAuthorizationStore => ({
  async begin({ tenantId, deviceHash, userCodeHash, oauthClient, scope, targets, ...device }) {
    const { address, waitSeconds, lifetimeMs } = device;
    const values = [tenantId, deviceHash, userCodeHash, oauthClient, scope ?? null, address, waitSeconds, lifetimeMs];
    await database.withTenant(tenantId, (transaction) => transaction.query(BEGIN, [...values, targets ?? null]));
  },
  async findPending(tenantId, userCodeHash) {
    const [row] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<DeviceAuthorization>(FIND_PENDING, [tenantId, userCodeHash]),
    );
    return row;
  },
  async decide({ tenantId, userCodeHash, decision, accountId, approvedIn }) {
    const decided = await database.withTenant(tenantId, (transaction) =>
      transaction.query(DECIDE, [tenantId, userCodeHash, decision, accountId, approvedIn]),
    );
    return decided.length > 0;
  },
  poll: ({ tenantId, deviceHash, oauthClient }) =>
    database.withTenant(tenantId, async (transaction) => {
      const [row] = await transaction.query<PollRow>(POLL, [tenantId, deviceHash, oauthClient]);
      const poll = pollOf(row);
      if (poll.kind === 'pending' || poll.kind === 'early') {
        await transaction.query(NOTE_POLL, [tenantId, deviceHash, poll.kind === 'early' ? SLOW_DOWN_SECONDS : 0]);
      }
      return poll;
    }),
  redeem: ({ tenantId, deviceHash, session }) =>
    database.withTenant(tenantId, async (transaction) => {
      const used = await transaction.query(USE, [tenantId, deviceHash, session.sid]);
      if (used.length === 0) return false;
      await insertSession(transaction, session);
      return true;
    }),
  async deleteExpired() {
    await changeInBatches(database, {
      change: 'delete from device_authorizations',
      table: 'device_authorizations',
      where: `expires < now() - interval '1 hour'`,
    });
  },
});
