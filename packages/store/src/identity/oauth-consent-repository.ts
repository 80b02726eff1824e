import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

/** Consent of a user to the logins of a registered program. */
export interface StoredConsent {
  readonly id: string;
  readonly clientId: string;
  /** Name and home page of the program. */
  readonly name: string;
  readonly homePage: string | null;
  /** Scopes that the program may ask for without the consent page; null: all that the user has. */
  readonly scope: readonly string[] | null;
  readonly sessionCount: number;
  readonly created: Date;
  readonly updated: Date;
}

/** Consents of the users of one tenant, within one transaction. */
export interface OAuthConsentRepository {
  /** Lists the consents of a user by the name of the program. */
  list(userId: string): Promise<readonly StoredConsent[]>;
  /** Returns the scope of a consent; undefined if there is none. */
  findScope(userId: string, clientId: string): Promise<Pick<StoredConsent, 'scope'> | undefined>;
  /** Stores a consent or replaces its scope. Has no effect for a user or a program that was removed. */
  put(consent: {
    readonly userId: string;
    readonly clientId: string;
    readonly scope: readonly string[] | null;
  }): Promise<void>;
  /** Removes a consent of a user, with the codes that it led to, and returns it. Its sessions are ended by `endSessions`. */
  remove(userId: string, id: string): Promise<Pick<StoredConsent, 'clientId' | 'scope'> | undefined>;
  /** Ends the sessions of a user with a program, and returns the number of those that were open. */
  endSessions(userId: string, clientId: string, reason: string): Promise<number>;
}

const LIST = `
  select n.id, n.oauth_client as "clientId", c.name, c.home_page as "homePage", n.scope, n.created, n.updated,
    (select count(*) from sessions s where s.tenant_id = n.tenant_id and s.oauth_client = n.oauth_client
      and s.account_kind = 'user' and s.account_id = n.user_id and s.revoked_at is null and s.expires > now())::int as "sessionCount"
  from oauth_consents n join oauth_clients c on c.tenant_id = n.tenant_id and c.client_id = n.oauth_client
  where n.tenant_id = $1 and n.user_id = $2 order by lower(c.name), n.oauth_client`;

const FIND_SCOPE = 'select scope from oauth_consents where tenant_id = $1 and user_id = $2 and oauth_client = $3';

const PUT = `
  insert into oauth_consents (tenant_id, id, user_id, oauth_client, scope)
  select $1, $2, u.id, c.client_id, $5::text[] from users u join oauth_clients c on c.tenant_id = u.tenant_id
  where u.tenant_id = $1 and u.id = $3 and c.client_id = $4
  on conflict (tenant_id, user_id, oauth_client) do update set scope = excluded.scope, updated = clock_timestamp()`;

const REMOVE = `
  delete from oauth_consents where tenant_id = $1 and user_id = $2 and id = $3 returning oauth_client as "clientId", scope`;

/** A code or a device that is being redeemed is waited for, so that `endSessions` finds its session. */
const REMOVALS = [
  'delete from authorization_codes where tenant_id = $1 and account_id = $2 and oauth_client = $3 and sid is null',
  'delete from device_authorizations where tenant_id = $1 and account_id = $2 and oauth_client = $3 and sid is null',
] as const;

const END_SESSIONS = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $4
  where tenant_id = $1 and account_kind = 'user' and account_id = $2 and oauth_client = $3 and revoked_at is null
  returning expires > now() as "wasOpen"`;

export const createOAuthConsentRepository = (transaction: Transaction, tenantId: string): OAuthConsentRepository => ({
  list: (userId) => transaction.query<StoredConsent>(LIST, [tenantId, userId]),
  async findScope(userId, clientId) {
    const [found] = await transaction.query<{ scope: string[] | null }>(FIND_SCOPE, [tenantId, userId, clientId]);
    return found;
  },
  async put({ userId, clientId, scope }) {
    await transaction.query(PUT, [tenantId, randomUUID(), userId, clientId, scope]);
  },
  async remove(userId, id) {
    if (!isUuid(id)) return undefined;
    const [removed] = await transaction.query<{ clientId: string; scope: string[] | null }>(REMOVE, [
      tenantId,
      userId,
      id,
    ]);
    if (removed === undefined) return undefined;
    for (const removal of REMOVALS) await transaction.query(removal, [tenantId, userId, removed.clientId]);
    return removed;
  },
  async endSessions(userId, clientId, reason) {
    const values = [tenantId, userId, clientId, reason];
    const ended = await transaction.query<{ wasOpen: boolean }>(END_SESSIONS, values);
    return ended.filter(({ wasOpen }) => wasOpen).length;
  },
});
