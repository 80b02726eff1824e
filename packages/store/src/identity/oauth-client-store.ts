import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** Registered program, as logins need it. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly name: string;
  readonly homePage: string | null;
  readonly redirectUris: readonly string[];
  /** Scopes that it can get; null: all. */
  readonly scopes: readonly string[] | null;
  /** SHA-256 of the secret; null for a public program. */
  readonly secretHash: Uint8Array | null;
}

export interface OAuthClientStore {
  /** Finds a program of a tenant. */
  find(tenantId: string, clientId: string): Promise<RegisteredClient | undefined>;
}

const FIND = prepared(
  'oauth_client_by_client_id',
  `
  select client_id as "clientId", name, home_page as "homePage", redirect_uris as "redirectUris", scopes, secret_hash as "secretHash"
  from oauth_clients where tenant_id = $1 and client_id = $2`,
);

export const createOAuthClientStore = (database: Database): OAuthClientStore => ({
  async find(tenantId, clientId) {
    const [row] = await database.run<RegisteredClient>({ tenantId }, FIND, [tenantId, clientId]);
    return row;
  },
});
